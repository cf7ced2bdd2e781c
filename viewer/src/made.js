// How the motion was made, so that it can be made again.

import { element, number } from "./dom.js";

export function showMade(box, { made, rate, frames }) {
  const facts = [
    ["Verb", made.verb],
    ["Creature", made.creature],
    ["Seed", made.seed],
    ["Legwork", made.version],
    ["In this page", `${frames} frames at ${number(rate, 3)} Hz`],
  ].filter(([, value]) => value != null && value !== "");
  box.replaceChildren(
    element("h2", {}, "How it was made"),
    ...(made.command ? [command(made.command)] : []),
    element("dl", { class: "facts" }, ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, String(value))))),
    ...(made.options ? [element("details", {}, element("summary", {}, "All options"), element("pre", {}, made.options))] : []),
  );
}

export function command(text) {
  const button = element("button", { class: "copy", type: "button", id: "copy" }, "Copy");
  const code = element("code", {}, text);
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text, code)) ? "Copied" : "Press Ctrl C";
    setTimeout(() => (button.textContent = "Copy"), 1600);
  });
  return element("div", { class: "command" }, element("pre", {}, code), button);
}

// A page opened from a file may be denied the clipboard; then the text is selected and copied by the older command.
async function copy(text, node) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}
