// The numbers: a few beside the film, all of them with their meaning in a table.

import { element, number } from "./dom.js";
import { legColors, swatch } from "./theme.js";

const shown = 2; // sentences beside the film

export function showSummary(box, entry) {
  const { creature, status, sentences } = entry;
  const gait = entry.measures.find(({ id, value }) => id === "name" && value !== "unnamed");
  const figures = entry.measures.filter(({ key, id, value }) => key && id !== "name" && value != null)
    .filter(({ name }, k, all) => all.findIndex((other) => other.name === name) === k); // the method's own measure before the gait's
  box.replaceChildren(
    element("p", { class: "kicker" }, gait ? creature.name : entry.made.verb),
    element("h2", { class: "headline" }, gait ? gait.value : creature.name.replaceAll("_", " ")),
    status.name === "ok" ? "" : element("p", { class: "status" }, statusText(status)),
    sentences?.length ? element("div", { class: "text" }, ...told(sentences)) : "",
    element("dl", { class: "figures" }, ...figures.flatMap(({ name, value, unit, text }) => {
      const scale = scaleFor([value], unit);
      return [
        element("dt", { title: text }, name),
        element("dd", {}, figure(value, scale), element("small", {}, unitText(scale.unit))),
      ];
    })),
    element("p", { class: "body" }, bodyText(creature)),
  );
}

// The first sentences, and the others when asked for.
function told(sentences) {
  const [first, rest] = [sentences.slice(0, shown), sentences.slice(shown)].map((some) => some.map((one) => element("p", {}, one)));
  return rest.length ? [...first, element("details", {}, element("summary", {}, "More"), ...rest)] : first;
}

function statusText({ name, text, time }) {
  const said = { fell: "Fell", diverged: "Diverged", stopped: "Stopped" }[name] ?? name;
  return `${said} at ${number(time, 3)} s${text ? `: ${text}` : ""}`;
}

const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// A method's own words as the gait's are; signs and units at the front stay as they are.
const sentence = (text) => text && `${text.replace(/^[a-z](?=[a-z ])/, (letter) => letter.toUpperCase())}${/[.!?]$/.test(text) ? "" : "."}`;

function bodyText({ about, mass, count, dofs }) {
  return `${about ? `${about.replace(/\.$/, "")}. ` : ""}${number(mass, 3)} kg, ${counted(count, "link")}, ${counted(dofs, "degree")} of freedom.`;
}

// Millimetres for lengths that are all below a centimetre.
function scaleFor(values, unit) {
  const most = Math.max(...values.filter(Number.isFinite).map(Math.abs));
  return unit === "m" && most > 0 && most < 0.01 ? { factor: 1000, unit: "mm" } : { factor: 1, unit };
}

const scaled = (value, { factor }) => (typeof value === "number" ? value * factor : value);

const superscript = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const powerText = (power) => `× 10${[...power].map((digit) => superscript[digit]).join("")}`;

// "× 10⁻³" for 1e-3.
const unitText = (unit) => (unit && unit !== "1" ? ` ${unit.replace(/^1e(-?\d+)$/, (_, power) => powerText(power))}` : "");

// Beside the film nobody asks for a millionth of a millimetre.
const figure = (value, scale) => (scale.unit === "mm" && value !== 0 && Math.abs(value) < 1e-6 ? "< 0.001" : number(scaled(value, scale), 3));

export function showMeasures(box, entry) {
  const { measures, legMeasures, legs } = entry;
  box.hidden = !measures.length;
  if (!measures.length) return box.replaceChildren();
  const rows = measures.map(({ name, value, unit, text }) => {
    const scale = scaleFor([value], unit);
    return element("tr", {},
      element("th", { scope: "row" }, name),
      element("td", { class: typeof value === "number" ? "number" : "" }, number(scaled(value, scale))),
      element("td", { class: "unit" }, unitText(scale.unit)),
      element("td", { class: "explained" }, sentence(text)));
  });
  box.replaceChildren(
    element("h2", {}, "Gait measures"),
    element("table", { class: "measures" }, element("tbody", {}, ...rows)),
    ...(legMeasures?.columns.length ? [legTable(legMeasures, legs)] : []),
  );
}

function legTable({ columns, rows }, legs) {
  const colors = legColors(legs);
  const scales = columns.map(({ unit }, c) => scaleFor(rows.map((row) => row[c]), unit));
  return element("table", { class: "legs" },
    element("thead", {}, element("tr", {}, element("th", {}, "Leg"),
      ...columns.map(({ name, text }, c) => element("th", { class: "number", title: text }, name, element("small", {}, unitText(scales[c].unit)))))),
    element("tbody", {}, ...rows.map((row, k) => element("tr", {},
      element("th", { scope: "row" }, swatch(colors[k]), legs[k].name),
      ...row.map((value, c) => element("td", { class: "number" }, number(scaled(value, scales[c]), 3)))))));
}
