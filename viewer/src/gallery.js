// Several motions in one page: a picture of each, drawn when it comes into sight.

import { readEntry } from "./data.js";
import { element } from "./dom.js";
import { onTheme } from "./theme.js";

const width = 240;
const height = 150;

export class Gallery {
  #cards;
  #stage;
  #seen = new Set();
  #waiting = [];
  #drawing = false;

  constructor(box, index, stage, choose) {
    this.#stage = stage;
    this.#cards = index.entries.map((entry, k) =>
      element("button", { class: "card", type: "button", "data-entry": k, title: entry.text ?? "", onclick: () => choose(k) },
        element("span", { class: "thumb" }),
        element("strong", {}, entry.title),
        element("small", {}, entry.brief.replace(/-(?=\d)/, "−"))));
    box.hidden = this.#cards.length < 2;
    box.replaceChildren(...this.#cards);
    if (box.hidden || !stage) return;
    const watcher = new IntersectionObserver((changes) => {
      for (const { isIntersecting, target } of changes) if (isIntersecting) this.#want(Number(target.dataset.entry));
    }, { root: box, rootMargin: "200px" });
    for (const card of this.#cards) watcher.observe(card);
    onTheme(() => {
      const again = [...this.#seen];
      this.#seen.clear();
      again.forEach((k) => this.#want(k));
    });
  }

  mark(chosen) {
    this.#cards.forEach((card, k) => card.setAttribute("aria-current", k === chosen));
    const box = this.#cards[chosen].parentElement;
    const { offsetLeft, offsetWidth } = this.#cards[chosen];
    if (offsetLeft < box.scrollLeft || offsetLeft + offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollTo({ left: offsetLeft - box.clientWidth / 2, behavior: "smooth" });
  }

  #want(k) {
    if (this.#seen.has(k)) return;
    this.#seen.add(k);
    this.#waiting.push(k);
    this.#drawNext();
  }

  // One picture at a time, while the page is idle.
  #drawNext() {
    if (this.#drawing || !this.#waiting.length) return;
    this.#drawing = true;
    const idle = globalThis.requestIdleCallback ?? ((fn) => setTimeout(fn, 30));
    idle(() => {
      const k = this.#waiting.shift();
      const picture = this.#stage.picture(readEntry(k), 2 * width, 2 * height);
      this.#cards[k].querySelector(".thumb").replaceChildren(picture);
      this.#drawing = false;
      this.#drawNext();
    }, { timeout: 500 });
  }
}
