// Quantities over time. All plots share the stretch of time, the cursor under the mouse and the time of the film.

import uPlot from "uplot";
import { frameAt } from "./data.js";
import { element, number, shortNames, spaced } from "./dom.js";
import { gutter, margin } from "./gait_diagram.js";
import { color, legColors, seriesColor, swatch } from "./theme.js";

export class Plots {
  #plots;
  #charts;
  #watcher;
  #idle;

  constructor(box, entry, player, span) {
    this.#plots = entry.channels.map((channel) => new (channel.groups[0].row ? LimbPlots : Plot)(channel, entry, player, span));
    this.#charts = this.#plots.flatMap(({ charts }) => charts);
    this.#lone()?.box.classList.add("lone");
    box.replaceChildren(...this.#plots.map((plot) => plot.box));
    this.#watcher = new IntersectionObserver((changes) => {
      for (const { isIntersecting, target } of changes) this.#charts.find(({ canvas }) => canvas === target).setInSight(isIntersecting);
    }, { rootMargin: "200px" });
    for (const { canvas } of this.#charts) this.#watcher.observe(canvas);
    this.#openNext();
  }

  // A page of many plots shows its film first: those in sight are drawn at once, the others one by one while it is idle.
  #openNext() {
    const wait = globalThis.requestIdleCallback ?? ((fn) => setTimeout(fn, 100));
    this.#idle = wait(() => {
      const next = this.#charts.find((chart) => !chart.isOpen);
      next?.open();
      if (next) this.#openNext();
    }, { timeout: 1500 });
  }

  setTime(time) {
    for (const chart of this.#charts) chart.setTime(time);
  }

  resize() {
    for (const chart of this.#charts) chart.resize();
  }

  // Two plots stand beside each other, a last one without a neighbour is as wide as both.
  #lone() {
    const singles = this.#plots.filter(({ wide }) => !wide);
    return singles.length % 2 ? singles.at(-1) : null;
  }

  // For paper.
  fit(width, gap) {
    const half = (width - gap) / 2;
    for (const plot of this.#plots) {
      const share = plot.wide || plot === this.#lone() ? width : half;
      for (const chart of plot.charts) {
        chart.open();
        chart.fit((plot.wide ? half : share) - 2);
      }
    }
  }

  redraw() {
    for (const chart of this.#charts) if (chart.isOpen) chart.draw();
  }

  close() {
    this.#watcher.disconnect();
    (globalThis.cancelIdleCallback ?? clearTimeout)(this.#idle);
    for (const chart of this.#charts) chart.close();
  }
}

// The lines of a group with their colours.
function linesOf({ groups, series }, g, entry) {
  const before = groups.slice(0, g).reduce((n, group) => n + group.series.length, 0);
  const byLeg = legColors(entry.legs);
  return groups[g].series.map((name, k) => ({
    name,
    values: series[before + k],
    color: groups[g].legs?.[k] >= 0 ? byLeg[groups[g].legs[k]] : seriesColor(k),
  }));
}

// One figure; of several groups a chooser shows one.
class Plot {
  wide = false;
  box;
  charts;

  constructor(channel, entry, player, span) {
    let group = 0;
    const unit = element("span", { class: "unit" }, channel.groups[0].unit);
    const chart = new Chart({
      lines: () => linesOf(channel, group, entry),
      range: (low, high) => softRange(low, high, channel.groups[group].unit === "°" ? 0.5 : 0),
    }, entry, player, span);
    const chooser = channel.groups.length < 2 ? null : element("select", {
      "aria-label": `${channel.title}: which`,
      onchange: () => {
        group = Number(chooser.value);
        unit.textContent = channel.groups[group].unit;
        chart.draw({ all: true });
      },
    }, ...channel.groups.map(({ name }, k) => element("option", { value: k }, name)));
    this.charts = [chart];
    this.box = element("figure", { class: "plot", id: `plot-${channel.id}` },
      element("figcaption", {}, element("h2", {}, channel.title), unit, chooser),
      channel.note ? element("p", { class: "note" }, channel.note) : null,
      chart.canvas, chart.legend);
  }
}

// A wide figure of small plots, a few lines in each: limbs in rows, left beside right, with the same range of values.
class LimbPlots {
  wide = true;
  box;
  charts = [];

  constructor(channel, entry, player, span) {
    const { groups, title, note } = channel;
    const units = [...new Set(groups.map(({ unit }) => unit))];
    const ranges = new Map();
    groups.forEach(({ scale, unit }, g) => ranges.set(scale, linesOf(channel, g, entry).reduce(([low, high, least], { values }) =>
      [values.reduce((a, b) => Math.min(a, b), low), values.reduce((a, b) => Math.max(a, b), high), least], ranges.get(scale) ?? [Infinity, -Infinity, unit === "°" ? 0.5 : 0])));
    const rows = new Map();
    groups.forEach((group, g) => {
      const chart = new Chart({
        lines: () => {
          const lines = linesOf(channel, g, entry);
          const names = shortNames(lines.map(({ name }) => name), group.name);
          return lines.map((line, k) => ({ ...line, full: line.name, name: names[k] }));
        },
        range: () => softRange(...ranges.get(group.scale)),
        small: true,
      }, entry, player, span);
      this.charts.push(chart);
      const cell = element("div", { class: "limb" },
        element("h4", {}, group.name === group.row ? "" : spaced(group.name), units.length > 1 ? element("span", { class: "unit" }, group.unit) : null),
        chart.canvas, chart.legend);
      rows.set(group.row, [...(rows.get(group.row) ?? []), cell]);
    });
    this.box = element("figure", { class: "plot limbs", id: `plot-${channel.id}` },
      element("figcaption", {}, element("h2", {}, title), element("span", { class: "unit" }, units.length > 1 ? "" : units[0])),
      note ? element("p", { class: "note" }, note) : null,
      ...[...rows].map(([name, cells]) => element("section", { class: "limb-row" },
        element("h3", {}, spaced(name)), ...cells)));
  }
}

// The lines themselves, with a legend that shows their values at the time of the film or under the mouse.
class Chart {
  canvas = element("div", { class: "plot-canvas" });
  legend = element("ul", { class: "legend" });
  isOpen = false;
  #lines;
  #range;
  #small;
  #drawn = [];
  #head = element("span", { class: "playhead" });
  #values = [];
  #entry;
  #player;
  #span;
  #hidden = new Set();
  #plot = null;
  #shown = -1; // frame whose values the legend shows
  #inSight = false; // the film moves only those

  constructor({ lines, range, small = false }, entry, player, span) {
    this.#lines = lines;
    this.#range = range;
    this.#small = small;
    this.#entry = entry;
    this.#player = player;
    this.#span = span;
    if (small) this.canvas.classList.add("small");
    span.onChange(({ from, to }) => this.#plot?.setScale("x", { min: from, max: to }));
  }

  open() {
    if (!this.isOpen) this.draw();
  }

  setInSight(inSight) {
    this.#inSight = inSight;
    if (!inSight) return;
    this.open();
    this.setTime(this.#player.time);
  }

  draw({ all = false } = {}) {
    this.close();
    this.isOpen = true;
    if (all) this.#hidden.clear();
    const lines = this.#lines();
    this.#drawn = lines;
    this.#values = lines.map(() => element("b", {}));
    this.legend.replaceChildren(...lines.map((one, k) => this.#legendItem(one, k, lines.length > 1)));
    const data = [this.#entry.time, ...lines.map(({ values }) => values)];
    this.#plot = new uPlot(this.#options(lines), data, this.canvas);
    this.#plot.setScale("x", { min: this.#span.from, max: this.#span.to });
    this.#plot.over.append(this.#head);
    this.#pointer(this.#plot.over);
    this.#shown = -1;
    this.setTime(this.#player.time);
  }

  #legendItem({ name, full, color }, k, many) {
    const item = element("li", { title: full }, swatch(color), spaced(name), this.#values[k]);
    if (!many) return item;
    const dim = () => item.classList.toggle("off", this.#hidden.has(k));
    item.setAttribute("role", "button");
    item.title = full ? `${full}: show or hide` : "Show or hide";
    item.addEventListener("click", () => {
      if (!this.#hidden.delete(k)) this.#hidden.add(k);
      dim();
      this.#plot.setSeries(k + 1, { show: !this.#hidden.has(k) });
    });
    dim();
    return item;
  }

  #options(lines) {
    const axis = { stroke: color("muted"), font: `11px ${color("sans")}`, grid: { stroke: color("line"), width: 1 }, ticks: { show: false } };
    return {
      width: this.canvas.clientWidth || 600,
      height: this.#small ? 110 : 150,
      padding: [8, margin, 0, 0],
      legend: { show: false },
      cursor: {
        sync: { key: "legwork", setSeries: false },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        y: false,
        bind: { dblclick: () => () => this.#span.reset() },
      },
      scales: { x: { time: false }, y: { range: (_, low, high) => this.#range(low, high) } },
      axes: [
        { ...axis, size: 24, gap: 4, space: 80, values: (_, ticks) => ticks.map((t, k) => (k === ticks.length - 1 ? `${t} s` : `${t}`)) },
        { ...axis, size: gutter, gap: 8, space: this.#small ? 20 : 32, values: (_, ticks) => ticks.map((y) => number(y)) },
      ],
      series: [{}, ...lines.map((one, k) => ({ stroke: one.color, width: 1.5, points: { show: false }, show: !this.#hidden.has(k) }))],
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
    this.#drawn.forEach(({ values }, k) => (this.#values[k].textContent = number(values[frame], 3)));
  }

  setTime(time) {
    if (!this.#plot || !this.#inSight) return;
    const x = this.#plot.valToPos(time, "x");
    const inside = x >= -0.5 && x <= this.#plot.over.clientWidth + 0.5;
    this.#head.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.#head.style.visibility = inside ? "visible" : "hidden";
    if (this.#plot.cursor.idx == null) this.#showValues(this.#frame());
  }

  resize() {
    this.fit(this.canvas.clientWidth);
  }

  fit(width) {
    if (!this.#plot || !width || width === this.#plot.width) return;
    this.#plot.setSize({ width, height: this.#plot.height });
    this.setTime(this.#player.time);
  }

  close() {
    this.#plot?.destroy();
    this.#plot = null;
    this.isOpen = false;
  }
}

// Room above and below; a quantity that hardly changes is not blown up to fill the plot.
export function softRange(low, high, least = 0) {
  if (low == null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, 0.02 * Math.abs(middle), least) || 1;
  return [middle - 1.12 * half, middle + 1.12 * half];
}
