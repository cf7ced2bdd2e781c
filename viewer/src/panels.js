// What a method adds to its motions: tables, plots, points in space, drawings, words.

import uPlot from "uplot";
import { floats } from "./data.js";
import { element, number } from "./dom.js";
import { softRange } from "./plots.js";
import { familyTree } from "./family.js";
import { ModesView } from "./modes.js";
import { PointsView } from "./points.js";
import { color, seriesColor, swatch } from "./theme.js";

const makers = { table, plot, points, svg: drawing, image: picture, text, modes, family };

export class Panels {
  #box;
  #entry;
  #closers = [];

  constructor(box, entry) {
    this.#box = box;
    this.#entry = entry;
    this.redraw();
  }

  redraw() {
    this.close();
    const panels = this.#entry.panels ?? [];
    this.#box.hidden = !panels.length;
    const figures = panels.map(({ type, title, text, data }) => {
      const body = element("div", { class: "panel-body" });
      const figure = element("figure", { class: `panel panel-${type}` },
        element("figcaption", {}, element("h2", {}, title)), text ? element("p", { class: "note" }, text) : null, body);
      return { figure, body, type, data };
    });
    const beside = figures.filter((one) => !takesARow(one)); // two in a row, a last one without a neighbour is as wide as both
    if (beside.length % 2) beside.at(-1).figure.classList.add("lone");
    for (const one of figures.filter(takesARow)) one.figure.classList.add("lone");
    this.#box.replaceChildren(...figures.map(({ figure }) => figure));
    for (const { body, type, data } of figures) {
      const close = makers[type](body, data, this.#entry);
      if (close) this.#closers.push(close);
    }
  }

  close() {
    for (const close of this.#closers.splice(0)) close();
  }
}

const takesARow = ({ type, data }) => type === "modes" || (type === "table" && data.columns.length > 7);

function table(box, { columns, rows }) {
  const numeric = columns.map((_, c) => rows.some((row) => typeof row[c] === "number"));
  const side = (c) => ({ class: numeric[c] ? "number" : "" });
  box.append(element("table", {},
    element("thead", {}, element("tr", {}, ...columns.map((name, c) => element("th", side(c), name)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, c) => element("td", side(c), number(cell))))))));
}

function plot(box, { x, series, xLabel, yLabel, style }) {
  const axis = { stroke: color("muted"), font: `11px ${color("sans")}`, labelFont: `12px ${color("sans")}`, labelSize: 22, grid: { stroke: color("line"), width: 1 }, ticks: { show: false } };
  const dots = style === "dots";
  const drawn = new uPlot({
    width: box.clientWidth || 500,
    height: 260,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    padding: [10, 14, 0, 0],
    scales: { x: { time: false }, y: { range: (_, low, high) => softRange(low, high) } },
    axes: [
      { ...axis, label: xLabel, size: 30, values: (_, ticks) => ticks.map((v) => number(v)) },
      { ...axis, label: yLabel, size: 54, values: (_, ticks) => ticks.map((v) => number(v)) },
    ],
    series: [{}, ...series.map((_, k) => ({
      stroke: seriesColor(k), width: dots ? 0 : 1.6, paths: dots ? () => null : undefined,
      points: { show: dots, size: 5, fill: seriesColor(k) },
    }))],
  }, [floats(x), ...series.map(({ values }) => floats(values))], box);
  if (series.length > 1 || series[0]?.name)
    box.append(element("ul", { class: "legend" }, ...series.map(({ name }, k) => element("li", {}, swatch(seriesColor(k)), name))));
  const watcher = new ResizeObserver(() => box.clientWidth && drawn.setSize({ width: box.clientWidth, height: 260 }));
  watcher.observe(box);
  return () => {
    watcher.disconnect();
    drawn.destroy();
  };
}

function points(box, data) {
  const view = PointsView.open(box, data);
  if (!view) box.append(element("p", { class: "notice" }, "This browser has no WebGL, so the points cannot be drawn."));
  return view && (() => view.close());
}

// Shown as a picture, so that a drawing can neither run scripts nor load anything.
function drawing(box, { svg }) {
  box.append(element("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt: "" }));
}

function picture(box, { png }) {
  box.append(element("img", { src: `data:image/png;base64,${png}`, alt: "" }));
}

function text(box, { text }) {
  for (const part of text.split(/\n\s*\n/)) box.append(element("p", {}, part));
}

function family(box, data) {
  familyTree(box, data);
}

function modes(box, data, entry) {
  const view = ModesView.open(box, data, entry);
  if (!view) box.append(element("p", { class: "notice" }, "This browser has no WebGL, so the modes cannot move."));
  return view && (() => view.close());
}
