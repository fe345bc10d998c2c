// Looks questions up in the data of this site: names of the catalog in any spelling, and the measured rows of a network, with
// filters. What it does not read it says. Everything is put on the page as text.
"use strict";
(() => {
  const base = new URL(".", document.currentScript.src);
  const box = document.querySelector("input[name=question]");
  const MOST_ROWS = 100, MOST_NAMES = 30, MOST_NETWORKS = 60, LONGEST_NAME = 6;

  const handed = {};
  window.dlbench = (name, data) => { handed[name] = data; };
  const load = (name) => handed[name] ? Promise.resolve(handed[name]) : new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(name, base);
    script.onload = () => resolve(handed[name]);
    script.onerror = () => reject(new Error(name + " cannot be read"));
    document.head.append(script);
  });

  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[^\p{L}\p{N}+]/gu, "");
  const key = (text) => text.toLowerCase().replaceAll("-", "_");

  let catalog;
  async function names() {
    if (catalog) return catalog;
    const data = await load("names.js");
    const entities = data.entities.map(([kind, id, name, aliases, parents]) =>
      ({ kind, id, name, aliases, parents, file: `${data.folders[kind]}/${id}.html` }));
    const called = new Map(), children = new Map();
    for (const entity of entities) {
      entity.spellings = [...new Set([entity.id, entity.name, ...entity.aliases].map(plain))];
      for (const spelling of entity.spellings) called.set(spelling, [...(called.get(spelling) || []), entity]);
      for (const parent of entity.parents) {
        const place = entity.kind + " " + parent;
        children.set(place, [...(children.get(place) || []), entity]);
      }
    }
    catalog = { entities, called, children, words: data.words, rankings: data.rankings, measured: new Map(Object.entries(data.measured)) };
    return catalog;
  }

  // An entity and everything that is a kind of it.
  function family(entity, seen = new Set()) {
    if (seen.has(entity.id)) return seen;
    seen.add(entity.id);
    for (const child of catalog.children.get(entity.kind + " " + entity.id) || []) family(child, seen);
    return seen;
  }

  // Of entities whose names hold a word those that begin with it come first, the shortest before the others.
  function nearest(word, entities) {
    const length = (entity) => Math.min(...entity.spellings.map((spelling) =>
      spelling.length + (spelling.startsWith(word) ? 0 : spelling.includes(word) ? 1000 : 2000)));
    return entities.map((entity) => [length(entity), entity]).sort(([a], [b]) => a - b).slice(0, MOST_NAMES).map(([, entity]) => entity);
  }

  // What a question says: entities that it names, filters, an order, and what is not read.
  function read(question) {
    const words = question.match(/-?[\w-]+(?:[<>]=?|[:=])"[^"]*"|"[^"]*"|\S+/g) || [];
    const said = { named: [], filters: [], sort: null, unread: [] };
    for (let at = 0; at < words.length;) {
      const filter = words[at].match(/^(-?)([a-z][a-z_-]*)(<=|>=|<|>|:|=)"?([^"]+)"?$/i);
      if (filter) {
        const [, not, name, relation, value] = filter;
        if (key(name) === "sort") said.sort = value;
        else said.filters.push({ text: words[at], not: not === "-", key: key(name), relation, value });
        at += 1;
        continue;
      }
      let length = Math.min(LONGEST_NAME, words.length - at);
      const run = () => words.slice(at, at + length).join(" ");
      while (length > 0 && !(plain(run()) && (catalog.called.has(plain(run())) || catalog.words[plain(run())]))) length -= 1;
      if (length === 0) {
        said.unread.push(words[at]);
        at += 1;
        continue;
      }
      const word = catalog.words[plain(run())];
      if (word) said.filters.push({ text: run(), not: false, key: word[0], relation: ":", value: word[1] });
      else said.named.push({ text: run(), entities: catalog.called.get(plain(run())) });
      at += length;
    }
    return said;
  }

  const KINDS = { device: "device", framework: "framework", network: "network", dataset: "dataset", source: "source" };

  // What a filter lets through of a row's values; null where rows have no such column.
  function passes(filter, columns) {
    const column = columns.find((name) => name === filter.key) || columns.find((name) => name.startsWith(filter.key + "_"));
    if (!column) return null;
    const wanted = filter.value.split(",");
    let holds;
    if (KINDS[column]) {
      const named = wanted.flatMap((value) => catalog.called.get(plain(value)) || []).filter((entity) => entity.kind === column);
      const ids = new Set(named.flatMap((entity) => [...family(entity)]));
      holds = (value) => ids.has(value);
    } else if (/[<>]/.test(filter.relation)) {
      const limit = Number(filter.value);
      holds = { "<": (v) => v < limit, "<=": (v) => v <= limit, ">": (v) => v > limit, ">=": (v) => v >= limit }[filter.relation];
      const compare = holds;
      holds = (value) => value !== null && compare(Number(value));
    } else {
      const range = filter.value.match(/^([\d.]+)\.\.([\d.]+)$/);
      holds = range ? (value) => value !== null && Number(value) >= Number(range[1]) && Number(value) <= Number(range[2])
        : (value) => value !== null && wanted.some((one) => plain(one) === plain(value));
    }
    return (row) => holds(row[column] ?? null) !== filter.not;
  }

  async function rows(said) {
    const networks = new Set();
    const stated = said.filters.filter((filter) => filter.key === "network" && !filter.not)
      .flatMap((filter) => filter.value.split(",")).flatMap((value) => catalog.called.get(plain(value)) || []);
    for (const entity of [...said.named.flatMap((named) => named.entities), ...stated])
      if (entity.kind === "network") for (const id of family(entity)) if (catalog.measured.has(id)) networks.add(id);
    const read = [...networks].slice(0, MOST_NETWORKS);
    const packs = await Promise.all(read.map((id) => load(`rows/${catalog.measured.get(id)}.js`)));
    const columns = ["network", "id"], metrics = [];
    const all = packs.flatMap(({ words, networks }, at) => {
      const { fields, metrics: own, rows } = networks[read[at]];
      for (const name of [...fields, ...own]) if (!columns.includes(name)) columns.push(name);
      for (const name of own) if (!metrics.includes(name)) metrics.push(name);
      return rows.map(([id, ...cells]) => {
        const row = { network: read[at] };
        fields.forEach((name, column) => { row[name] = cells[column] === null ? null : words[cells[column]]; });
        own.forEach((name, column) => { const value = cells[fields.length + column]; row[name] = value === null ? null : String(value); });
        row.id = `${row.source}:${id}`;
        return row;
      });
    });
    const unread = [...said.unread];
    const tests = said.named.flatMap(({ text, entities }) => {
      const kinds = [...new Set(entities.map((entity) => entity.kind))].filter((kind) => KINDS[kind]);
      if (kinds.length === 0) { unread.push(text); return []; }
      const ids = new Map(kinds.map((kind) =>
        [kind, new Set(entities.filter((entity) => entity.kind === kind).flatMap((entity) => [...family(entity)]))]));
      return [(row) => kinds.some((kind) => ids.get(kind).has(row[kind]))];
    });
    for (const filter of said.filters) {
      const test = passes(filter, columns);
      if (test) tests.push(test); else unread.push(filter.text);
    }
    const found = all.filter((row) => tests.every((test) => test(row)));
    const shown = metrics.filter((name) => found.some((row) => row[name] != null));
    if (said.sort) {
      const name = key(said.sort.replace(/^-/, "")), sign = said.sort.startsWith("-") ? -1 : 1;
      const column = columns.find((column) => column === name) || columns.find((column) => column.startsWith(name + "_"));
      if (column) found.sort((a, b) => (a[column] == null) - (b[column] == null) || sign * (Number(a[column]) - Number(b[column])));
      else unread.push("sort:" + said.sort);
    }
    return { read, more: networks.size - read.length, found, columns, metrics: shown, unread };
  }

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const link = (file, text) => element("a", { href: new URL(file, base) }, text);
  const quiet = (text) => element("span", { class: "quiet" }, text);
  const list = (entities) => element("ul", {}, ...entities.map((entity) => {
    const rankings = catalog.rankings.filter(([network]) => entity.kind === "network" && network === entity.id);
    const ways = rankings.flatMap(([, stage, file]) => [" · ", link(file, `fastest devices, ${stage}`)]);
    return element("li", {}, link(entity.file, entity.name), " ", quiet(entity.kind.replaceAll("-", " ")), ...ways);
  }));
  const called = new Map();
  const nameOf = (kind, id) => called.get(kind + " " + id) || id;

  function table({ found, columns, metrics }) {
    const fields = ["device", "device_count", "framework", "framework_version", "network", "dataset", "stage", "scenario", "precision", "batch_size"]
      .filter((name) => columns.includes(name) && found.some((row) => row[name] != null));
    const heads = [...fields, ...metrics, "source", "id"];
    const head = heads.map((name) => element("th", { scope: "col", ...(metrics.includes(name) ? { class: "number" } : {}) }, name.replaceAll("_", " ")));
    const body = found.slice(0, MOST_ROWS).map((row) => element("tr", {}, ...heads.map((name) => {
      if (row[name] == null) return element("td", {});
      if (metrics.includes(name)) return element("td", { class: "number" }, row[name]);
      const entity = KINDS[name] && (catalog.called.get(plain(row[name])) || []).find((entity) => entity.kind === name && entity.id === row[name]);
      return element("td", {}, entity ? link(entity.file, name === "source" ? row[name] : nameOf(name, row[name])) : row[name]);
    })));
    return element("div", { class: "frame", tabindex: "0" },
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body)));
  }

  async function answer(question, place) {
    await names();
    for (const entity of catalog.entities) called.set(entity.kind + " " + entity.id, entity.name);
    const said = read(question);
    const answered = await rows(said);
    const entities = [...new Set(said.named.flatMap((named) => named.entities))];
    const parts = [element("h2", {}, "Found for “" + question + "”")];
    const unread = said.filters.length + said.named.length + (said.sort ? 1 : 0) > 0 ? answered.unread : said.unread;
    if (unread.length > 0) parts.push(element("p", {}, "Not read here: " + unread.join(" ") + "."));
    if (entities.length > 0) parts.push(list(entities));
    if (answered.read.length > 0) {
      const count = answered.found.length;
      const shown = count > MOST_ROWS ? `, the first ${MOST_ROWS} shown` : "";
      const more = answered.more > 0 ? `; ${answered.more} more networks of the family were not read` : "";
      parts.push(element("h3", {}, `${count} ${count === 1 ? "measurement" : "measurements"}${shown}${more}`));
      if (count > 0) parts.push(table(answered));
      parts.push(element("p", { class: "quiet" }, "All columns: dlbench query -f csv."));
    } else if (entities.length > 0) {
      parts.push(element("p", { class: "quiet" }, "With the name of a network, its measurements stand here, too."));
    }
    const loose = said.unread.map(plain).filter((word) => word.length > 1);
    const near = loose.length === 0 ? [] : nearest(loose[0], catalog.entities.filter((entity) =>
      loose.every((word) => entity.spellings.some((spelling) => spelling.includes(word)))));
    if (near.length > 0) parts.push(element("h3", {}, "Names that hold these words"), list(near));
    if (entities.length + near.length === 0) parts.push(element("p", {}, "No name of the catalog is spelled so."));
    place.replaceChildren(...parts);
  }

  const place = document.getElementById("results");
  const question = new URLSearchParams(location.search).get("question");
  if (place && question) {
    box.value = question;
    answer(question, place).catch((error) => place.replaceChildren(element("p", {}, String(error.message))));
  }

  // Completes the word that is being typed.
  const options = document.getElementById("names");
  box.addEventListener("input", async () => {
    await names();
    const before = box.value.match(/^(.*\s)?/)[0];
    const word = plain(box.value.slice(before.length));
    if (word.length < 2) return;
    const begin = catalog.entities.filter((entity) => entity.spellings.some((spelling) => spelling.startsWith(word)));
    options.replaceChildren(...nearest(word, begin).map((entity) => {
      const option = element("option", { value: before + entity.id });
      option.label = entity.name;
      return option;
    }));
  });
})();
