// Several motions in one page: a picture of each, drawn when it comes into sight.

import { readEntry } from "./data.js";
import { element } from "./dom.js";
import { drawPicture } from "./picture.js";
import { onTheme } from "./theme.js";

const width = 144; // px on the page, as style.css has it
const height = 90;
const budget = 40; // ms that the page does not answer

export class Gallery {
  isOpen = false;
  #cards;
  #drawn = new Set();
  #waiting = new Set();
  #drawing = false;

  constructor(box, index, choose) {
    this.#cards = index.entries.map((entry, k) =>
      element("button", { class: "card", type: "button", "data-entry": k, title: entry.text ?? "", onclick: () => choose(k) },
        element("span", { class: "thumb" }),
        element("strong", {}, entry.title),
        element("small", {}, entry.brief.replace(/-(?=\d)/, "−"))));
    box.hidden = this.#cards.length < 2;
    box.replaceChildren(...this.#cards);
    this.isOpen = !box.hidden;
    if (!this.isOpen) return;
    const right = box.getBoundingClientRect().right;
    this.#cards.forEach((card, k) => card.getBoundingClientRect().left < right && this.#waiting.add(k));
    this.#draw(Infinity); // nobody waits for an answer yet
    const watcher = new IntersectionObserver((changes) => {
      for (const { isIntersecting, target } of changes) this.#want(Number(target.dataset.entry), isIntersecting);
    }, { root: box, rootMargin: "200px" });
    for (const card of this.#cards) watcher.observe(card);
    onTheme(() => {
      const again = [...this.#drawn];
      this.#drawn.clear();
      again.forEach((k) => this.#want(k, true));
    });
  }

  mark(chosen) {
    this.#cards.forEach((card, k) => card.setAttribute("aria-current", k === chosen));
    const box = this.#cards[chosen].parentElement;
    const { offsetLeft, offsetWidth } = this.#cards[chosen];
    if (offsetLeft < box.scrollLeft || offsetLeft + offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollTo({ left: offsetLeft - box.clientWidth / 2, behavior: "smooth" });
  }

  #want(k, wanted) {
    if (!wanted) this.#waiting.delete(k);
    else if (!this.#drawn.has(k)) this.#waiting.add(k);
    this.#drawNext();
  }

  // A few pictures at a time, so that the page answers meanwhile; they wait for no frame of the film.
  #drawNext() {
    if (this.#drawing || !this.#waiting.size) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      this.#draw(budget);
      this.#drawNext();
    });
  }

  #draw(budget) {
    const end = performance.now() + budget;
    const fine = Math.min(devicePixelRatio, 1.5);
    for (const k of this.#waiting) {
      this.#waiting.delete(k);
      this.#drawn.add(k);
      this.#cards[k].querySelector(".thumb").replaceChildren(drawPicture(readEntry(k), Math.round(fine * width), Math.round(fine * height)));
      if (performance.now() >= end) break;
    }
  }
}
