// Hildebrand's diagram: a row for each leg, a bar while its foot is down. Shares its time axis with the plots.

import { element, seconds, svg } from "./dom.js";
import { legColors, swatch } from "./theme.js";

export const gutter = 64; // px left of every time axis
export const margin = 14; // px right of it
const row = 24;
const bar = 14;

export class GaitDiagram {
  #box;
  #entry;
  #player;
  #span;
  #picture = svg("svg", { class: "gait-picture", role: "img", "aria-label": "Gait diagram: when each foot is down" });
  #cursor = svg("g", { class: "gait-cursor", id: "gait-cursor" });
  #width = 0;

  constructor(box, entry, player, span) {
    this.#box = box;
    this.#entry = entry;
    this.#player = player;
    this.#span = span;
    box.replaceChildren(
      element("h2", {}, "Gait diagram"),
      element("p", { class: "note" }, "A bar while the foot is on the ground. Click to go there, drag to look closer, double click to see all."),
      this.#picture,
    );
    this.#pointer();
    span.onChange(() => this.#draw());
    this.resize();
  }

  redraw() {
    this.#draw();
  }

  resize() {
    this.fit(this.#box.clientWidth);
  }

  fit(width) {
    if (width === this.#width || !width) return;
    this.#width = width;
    this.#draw();
  }

  setTime(time) {
    const x = this.#x(time);
    this.#cursor.setAttribute("transform", `translate(${x.toFixed(2)} 0)`);
    this.#cursor.style.visibility = x < gutter - 0.5 || x > this.#width - margin + 0.5 ? "hidden" : "visible";
  }

  #x(time) {
    const { from, to } = this.#span;
    return gutter + ((time - from) / (to - from || 1)) * (this.#width - gutter - margin);
  }

  #time(x) {
    const { from, to } = this.#span;
    return from + ((x - gutter) / (this.#width - gutter - margin)) * (to - from);
  }

  #draw() {
    const { legs, stance } = this.#entry;
    const colors = legColors(legs);
    const bottom = row * legs.length;
    const right = this.#width - margin;
    this.#picture.setAttribute("viewBox", `0 0 ${this.#width} ${bottom + 26}`);
    this.#picture.setAttribute("height", bottom + 26);
    const rows = legs.flatMap((leg, k) => [
      svg("text", { class: "leg", x: gutter - 10, y: row * k + row / 2 + 4 }, leg.name),
      svg("line", { class: "rule", x1: gutter, x2: right, y1: row * (k + 0.5), y2: row * (k + 0.5) }),
      ...stance[k].map(([down, up]) => this.#bar(down, up, row * k + (row - bar) / 2, colors[k])).filter(Boolean),
    ]);
    this.#cursor.replaceChildren(
      svg("line", { y1: 0, y2: bottom }),
      svg("path", { d: "M-5 0h10l-5 6z" }),
    );
    this.#picture.replaceChildren(...rows, ...this.#axis(bottom), this.#cursor);
    this.setTime(this.#player.time);
  }

  #bar(down, up, y, fill) {
    const x0 = Math.max(this.#x(down), gutter);
    const x1 = Math.min(this.#x(up), this.#width - margin);
    if (x1 <= x0) return null;
    const node = svg("rect", { x: x0.toFixed(2), y, width: (x1 - x0).toFixed(2), height: bar, rx: 2, style: `fill:${fill}` });
    node.append(svg("title", {}, `down ${seconds(down)} to ${seconds(up)} s`));
    return node;
  }

  #axis(y) {
    const { from, to } = this.#span;
    const room = (to - from) / Math.max(2, (this.#width - gutter - margin) / 90);
    const power = 10 ** Math.floor(Math.log10(room || 1));
    const step = power * [1, 2, 5, 10].find((k) => k * power >= room);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const out = [svg("line", { class: "axis", x1: gutter, x2: this.#width - margin, y1: y, y2: y })];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9; ++k) {
      const x = this.#x(k * step);
      out.push(svg("line", { class: "axis", x1: x, x2: x, y1: y, y2: y + 4 }));
      out.push(svg("text", { class: "tick", x, y: y + 17 }, (k * step).toFixed(digits) + (k * step + step > to + 1e-9 ? " s" : "")));
    }
    return out;
  }

  #pointer() {
    let start = null;
    const veil = svg("rect", { class: "veil", y: 0 });
    const at = (event) => {
      const x = event.clientX - this.#picture.getBoundingClientRect().left;
      return Math.min(Math.max(x, gutter), this.#width - margin);
    };
    this.#picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = at(event);
      this.#picture.setPointerCapture(event.pointerId);
    });
    this.#picture.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const x = at(event);
      veil.setAttribute("x", Math.min(start, x));
      veil.setAttribute("width", Math.abs(x - start));
      veil.setAttribute("height", row * this.#entry.legs.length);
      this.#picture.append(veil);
    });
    this.#picture.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const [a, b] = [start, at(event)].sort((p, q) => p - q);
      start = null;
      veil.remove();
      if (b - a < 5) this.#player.seek(this.#time(b));
      else this.#span.set(this.#time(a), this.#time(b));
    });
    this.#picture.addEventListener("dblclick", () => this.#span.reset());
  }
}

// Names and colours of the legs, for the 3D view.
export function legKey(entry) {
  const colors = legColors(entry.legs);
  return entry.legs.map((leg, k) => element("li", {}, swatch(colors[k]), leg.name));
}
