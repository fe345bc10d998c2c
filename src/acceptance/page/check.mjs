// The page of `dlbench serve` and the files of `dlbench site` in a real Chromium, as a person uses them:
//   node check.mjs PROGRAM KB QUESTION NAME FOLDER
// QUESTION has measurements in the knowledge base KB; NAME begins a name of its catalog. Screenshots go to FOLDER.
import assert from "node:assert/strict";
import { spawn, execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import chromium from "@sparticuz/chromium";
import puppeteer from "puppeteer-core";

const [program, kb, question, name, folder] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });
const axe = fs.readFileSync(path.join(import.meta.dirname, "node_modules/axe-core/axe.min.js"), "utf8");

const site = path.resolve(folder, "site");
execFileSync(program, ["--kb", kb, "site", "-o", site], { stdio: "inherit" });
const server = spawn(program, ["--kb", kb, "serve", "--address", "127.0.0.1:0", "--rate", "0"], { stdio: ["ignore", "ignore", "pipe"] });
const address = await new Promise((resolve, reject) => {
  let said = "";
  server.stderr.on("data", (bytes) => {
    said += bytes;
    const found = said.match(/http:\/\/[\d.:]+/);
    if (found) resolve(found[0]);
  });
  server.on("exit", () => reject(new Error(said)));
});
const browser = await puppeteer.launch({ args: chromium.args, executablePath: await chromium.executablePath(), headless: "shell" });

// A tab that fails on whatever the console complains of, on a script's error and on a request to anywhere but `base`.
async function tab(base, width, scheme, scripts = true) {
  const page = await browser.newPage();
  page.wrong = [];
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) page.wrong.push(message.text()); });
  page.on("pageerror", (error) => page.wrong.push(error.message));
  page.on("request", (request) => { if (!request.url().startsWith(base)) page.wrong.push("outside: " + request.url()); });
  await page.setViewport({ width, height: 844 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.setJavaScriptEnabled(scripts);
  return page;
}

// Whether a page fits, and what axe finds; a picture of it is kept.
async function looked(page, picture) {
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= seen, `${page.url()} is ${wide} px wide on a screen of ${seen}`);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { preload: false }));
  const serious = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
  assert.deepEqual(serious.map((violation) => [violation.id, violation.nodes[0].html]), [], page.url());
  await page.screenshot({ path: path.join(folder, picture + ".png") });
  assert.deepEqual(page.wrong, [], page.url());
}

const asked = (page) => Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
const clicked = (page, selector) => Promise.all([page.waitForNavigation(), page.click(selector)]);
const text = (page, selector) => page.$eval(selector, (element) => element.textContent);

async function served() {
  const page = await tab(address, 1280, "light");
  await page.goto(address, { waitUntil: "networkidle0" });
  const loaded = await page.evaluate(() =>
    ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map((entry) => entry.transferSize));
  const bytes = loaded.reduce((sum, size) => sum + size, 0);
  assert.ok(loaded.length <= 15 && bytes > 0 && bytes <= 50_000, `the first page takes ${loaded.length} requests and ${bytes} bytes`);
  await page.type("input[name=question]", name);
  await page.waitForFunction(() => document.querySelectorAll("#names option").length > 0);
  await page.$eval("input[name=question]", (box) => { box.value = ""; });
  await page.type("input[name=question]", question);
  await asked(page);
  const conclusion = await text(page, ".conclusion");
  const first = page.url();
  assert.ok(await page.$$eval("table.chart svg.track circle", (marks) => marks.length > 2), "a ranking has a chart");
  const [device, source] = await Promise.all(["table.chart tbody th a", ".sources a"].map((link) => page.$eval(link, (found) => found.href)));
  await clicked(page, ".facets input[type=checkbox]:not(:checked)");
  assert.notEqual(page.url(), first);
  await page.goBack();
  assert.equal(page.url(), first);
  assert.equal(await text(page, ".conclusion"), conclusion);
  await page.goto(address + "/entities/devices");
  await clicked(page, "thead th:nth-child(2) a");
  assert.equal(await page.$eval("thead th:nth-child(2)", (head) => head.ariaSort), "ascending");
  await page.goto(address + "/about/api");
  assert.equal((await page.goto(await page.$eval(".examples a", (link) => link.href))).headers()["content-type"], "application/json");
  const compared = `${address}/query?question=${encodeURIComponent("A100 vs H100 bert")}`;
  for (const width of [1280, 390]) for (const scheme of ["light", "dark"]) {
    for (const [what, at] of [["home", address], ["answer", first], ["comparison", compared], ["device", device], ["source", source], ["class", address + "/entities/hardware-classes/gpu"],
      ["grades", address + "/tables/hardware"], ["framework", address + "/entities/frameworks/pytorch"],
      ["evidence", address + "/evidence"], ["api", address + "/about/api"]]) {
      const page = await tab(address, width, scheme);
      await page.goto(at, { waitUntil: "networkidle0" });
      await looked(page, `serve-${what}-${width}-${scheme}`);
      // What it comes to is seen without scrolling.
      if (["home", "device", "source", "class", "framework"].includes(what)) {
        const ends = await page.$eval("svg.bar", (bar) => bar.getBoundingClientRect().bottom);
        assert.ok(ends < 844, `${page.url()}: the first bar ends at ${ends} px of a screen of 844`);
      }
      await page.close();
    }
  }
  const plain = await tab(address, 1280, "light", false);
  await plain.goto(address);
  await plain.type("input[name=question]", question);
  await asked(plain);
  assert.equal(await text(plain, ".conclusion"), conclusion);
  assert.deepEqual([...page.wrong, ...plain.wrong], []);
}

async function written() {
  const base = pathToFileURL(site).href + "/";
  for (const width of [1280, 390]) for (const scheme of ["light", "dark"]) {
    const page = await tab(base, width, scheme);
    await page.goto(base + "index.html");
    await looked(page, `site-start-${width}-${scheme}`);
    await page.type("input[name=question]", name);
    await page.waitForFunction(() => document.querySelectorAll("#names option").length > 0);
    await asked(page);
    await page.waitForSelector("#results li a");
    await looked(page, `site-found-${width}-${scheme}`);
    await clicked(page, "#results li a");
    await looked(page, `site-card-${width}-${scheme}`);
    await page.goBack();
    await page.waitForSelector("#results li a");
    await page.goto(base + "index.html");
    await clicked(page, ".columns a");
    await looked(page, `site-ranking-${width}-${scheme}`);
    await page.close();
  }
}

try {
  await served();
  await written();
  console.log("the page and the site hold in Chromium", await browser.version());
} finally {
  await browser.close();
  server.kill();
}
