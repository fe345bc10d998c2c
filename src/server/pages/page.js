// What pages do without, but better with: names complete in the box, choices apply at once, the board switches in place, tables sort.
"use strict";
(() => {
  const box = document.querySelector("form.ask input");
  const names = document.getElementById("names");
  let waiting, asked = "";
  box?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const before = box.value.match(/^(.*\s)?/)[0];
      const word = box.value.slice(before.length);
      if (word.length < 2 || word === asked || word.includes(":")) return;
      asked = word;
      const answer = await fetch("/api/names?beginning=" + encodeURIComponent(word)).catch(() => null);
      if (!answer || !answer.ok || asked !== word) return;
      names.replaceChildren(...(await answer.json()).names.map((name) => {
        const option = document.createElement("option");
        option.value = before + name;
        return option;
      }));
    }, 150);
  });
  document.querySelector(".facets form")?.addEventListener("change", (event) => {
    if (event.target.type === "checkbox") event.currentTarget.requestSubmit();
  });
  const switched = async (address) => {
    const answer = await fetch(address).catch(() => null);
    const board = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("board");
    if (!board) return location.assign(address);
    document.getElementById("board").replaceWith(board);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#board .switches a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    document.getElementById("board").setAttribute("aria-busy", "true");
    switched(link.href);
  });
  addEventListener("popstate", () => { if (document.getElementById("board")) switched(location.href); });
  const number = (cell) => parseFloat(cell.textContent.replaceAll(",", ""));
  for (const table of document.querySelectorAll("table")) {
    if (table.tBodies.length !== 1 || table.tHead?.rows.length !== 1 || table.tHead.querySelector("a")) continue;
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      if (head.tagName !== "TH" || head.classList.contains("track")) return;
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const descending = head.ariaSort === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.ariaSort = descending ? "descending" : "ascending";
        const numeric = head.classList.contains("number");
        const rows = [...table.tBodies[0].rows].filter((row) => !row.classList.contains("total"));
        rows.sort((a, b) => {
          const [x, y] = [a.cells[at], b.cells[at]];
          const empty = (cell) => cell.textContent.trim() === "";
          if (empty(x) !== empty(y)) return empty(x) - empty(y);
          const order = numeric ? number(x) - number(y) : x.textContent.localeCompare(y.textContent);
          return descending ? -order : order;
        });
        table.tBodies[0].append(...rows);
      });
    });
  }
})();
