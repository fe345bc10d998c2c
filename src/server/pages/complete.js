// Completes the word that is being typed in the box with names of the catalog. Pages do without it.
"use strict";
(() => {
  const box = document.querySelector("input[name=question]");
  const names = document.getElementById("names");
  let waiting, asked = "";
  box.addEventListener("input", () => {
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
})();
