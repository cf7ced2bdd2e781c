// Quantities over time. All plots share the stretch of time, the cursor under the mouse and the time of the film.

import uPlot from "uplot";
import { frameAt } from "./data.js";
import { element, number } from "./dom.js";
import { gutter, margin } from "./gait_diagram.js";
import { color, legColors, seriesColor, swatch } from "./theme.js";

export class Plots {
  #plots;

  constructor(box, entry, player, span) {
    this.#plots = entry.channels.map((channel) => new Plot(channel, entry, player, span));
    box.replaceChildren(...this.#plots.map((plot) => plot.box));
    this.redraw();
  }

  setTime(time) {
    for (const plot of this.#plots) plot.setTime(time);
  }

  resize() {
    for (const plot of this.#plots) plot.resize();
  }

  // For paper: two plots beside each other, a lone last one as wide as both.
  fit(width, gap) {
    const half = (width - gap) / 2;
    const lone = this.#plots.length % 2 ? this.#plots.length - 1 : -1;
    this.#plots.forEach((plot, k) => plot.fit((k === lone ? width : half) - 2));
  }

  redraw() {
    for (const plot of this.#plots) plot.draw();
  }

  close() {
    for (const plot of this.#plots) plot.close();
  }
}

class Plot {
  box;
  #canvas = element("div", { class: "plot-canvas" });
  #legend = element("ul", { class: "legend" });
  #head = element("span", { class: "playhead" });
  #values = [];
  #channel;
  #entry;
  #player;
  #span;
  #group = 0;
  #hidden = new Set();
  #plot = null;
  #shown = -1; // frame whose values the legend shows

  constructor(channel, entry, player, span) {
    this.#channel = channel;
    this.#entry = entry;
    this.#player = player;
    this.#span = span;
    this.box = element("figure", { class: "plot", id: `plot-${channel.id}` },
      element("figcaption", {}, element("h2", {}, channel.title), this.#unit(), this.#chooser()),
      channel.note ? element("p", { class: "note" }, channel.note) : null,
      this.#canvas, this.#legend);
    span.onChange(({ from, to }) => this.#plot?.setScale("x", { min: from, max: to }));
  }

  #unit() {
    return (this.unit = element("span", { class: "unit" }, this.#channel.groups[0].unit));
  }

  #chooser() {
    const { groups, title } = this.#channel;
    if (groups.length < 2) return null;
    const select = element("select", { "aria-label": `${title}: which` },
      ...groups.map((group, k) => element("option", { value: k }, group.name)));
    select.addEventListener("change", () => {
      this.#group = Number(select.value);
      this.#hidden.clear();
      this.unit.textContent = groups[this.#group].unit;
      this.draw();
    });
    return select;
  }

  // Names, data and colours of the group that is shown.
  #series() {
    const { groups, series } = this.#channel;
    const before = groups.slice(0, this.#group).reduce((n, group) => n + group.series.length, 0);
    const group = groups[this.#group];
    const byLeg = legColors(this.#entry.legs);
    return group.series.map((name, k) => ({
      name,
      values: series[before + k],
      color: group.legs && group.legs[k] >= 0 ? byLeg[group.legs[k]] : seriesColor(k),
    }));
  }

  draw() {
    this.close();
    const series = this.#series();
    const legend = series.length > 1;
    this.#values = series.map(() => element("b", {}));
    this.#legend.replaceChildren(...series.map((one, k) => this.#legendItem(one, k, legend)));
    const data = [this.#entry.time, ...series.map(({ values }) => values)];
    this.#plot = new uPlot(this.#options(series), data, this.#canvas);
    this.#plot.setScale("x", { min: this.#span.from, max: this.#span.to });
    this.#plot.over.append(this.#head);
    this.#pointer(this.#plot.over);
    this.#shown = -1;
    this.setTime(this.#player.time);
  }

  #legendItem({ name, color }, k, many) {
    const item = element("li", {}, swatch(color), name, this.#values[k]);
    if (!many) return item;
    const dim = () => item.classList.toggle("off", this.#hidden.has(k));
    item.setAttribute("role", "button");
    item.title = "Show or hide";
    item.addEventListener("click", () => {
      if (!this.#hidden.delete(k)) this.#hidden.add(k);
      dim();
      this.#plot.setSeries(k + 1, { show: !this.#hidden.has(k) });
    });
    dim();
    return item;
  }

  #options(series) {
    const axis = { stroke: color("muted"), font: `11px ${color("sans")}`, grid: { stroke: color("line"), width: 1 }, ticks: { show: false } };
    return {
      width: this.#canvas.clientWidth || 600,
      height: 150,
      padding: [8, margin, 0, 0],
      legend: { show: false },
      cursor: {
        sync: { key: "legwork", setSeries: false },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        y: false,
        bind: { dblclick: () => () => this.#span.reset() },
      },
      scales: { x: { time: false }, y: { range: (_, low, high) => softRange(low, high, this.#channel.groups[this.#group].unit === "°" ? 0.5 : 0) } },
      axes: [
        { ...axis, size: 24, gap: 4, space: 80, values: (_, ticks) => ticks.map((t, k) => (k === ticks.length - 1 ? `${t} s` : `${t}`)) },
        { ...axis, size: gutter, gap: 8, space: 32, values: (_, ticks) => ticks.map((y) => number(y)) },
      ],
      series: [{}, ...series.map((one, k) => ({ stroke: one.color, width: 1.5, points: { show: false }, show: !this.#hidden.has(k) }))],
      hooks: {
        setCursor: [(u) => this.#showValues(u.cursor.idx ?? this.#frame())],
        setSelect: [(u) => this.#narrow(u)],
      },
    };
  }

  #narrow(u) {
    const { left, width } = u.select;
    if (width < 5) return;
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.#span.set(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  // A click without a drag goes to that time.
  #pointer(over) {
    let start = 0;
    over.addEventListener("mousedown", (event) => (start = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - start) > 4) return;
      this.#player.seek(this.#plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  #frame() {
    const { frame, blend } = frameAt(this.#entry, this.#player.time);
    return frame + (blend > 0.5 ? 1 : 0);
  }

  #showValues(frame) {
    if (frame === this.#shown) return;
    this.#shown = frame;
    this.#series().forEach(({ values }, k) => (this.#values[k].textContent = number(values[frame], 3)));
  }

  setTime(time) {
    if (!this.#plot) return;
    const x = this.#plot.valToPos(time, "x");
    const inside = x >= -0.5 && x <= this.#plot.over.clientWidth + 0.5;
    this.#head.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.#head.style.visibility = inside ? "visible" : "hidden";
    if (this.#plot.cursor.idx == null) this.#showValues(this.#frame());
  }

  resize() {
    this.fit(this.#canvas.clientWidth);
  }

  fit(width) {
    if (!this.#plot || !width || width === this.#plot.width) return;
    this.#plot.setSize({ width, height: this.#plot.height });
    this.setTime(this.#player.time);
  }

  close() {
    this.#plot?.destroy();
    this.#plot = null;
  }
}

// Room above and below; a quantity that hardly changes is not blown up to fill the plot.
export function softRange(low, high, least = 0) {
  if (low == null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, 0.02 * Math.abs(middle), least) || 1;
  return [middle - 1.12 * half, middle + 1.12 * half];
}
