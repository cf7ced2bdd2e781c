// Light or dark: the system's choice until the reader makes one. Colours are those of style.css, read when something is drawn: what
// holds one is redrawn when the theme changes.

import { element, icons } from "./dom.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;
const listeners = [];
let chosen = null;

export const isDark = () => root.dataset.theme === "dark";
export const color = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
export const onTheme = (fn) => listeners.push(fn);

function apply(theme) {
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  for (const listener of listeners) listener();
}

const wanted = () => chosen ?? (system.matches ? "dark" : "light");

export function startTheme() {
  const button = document.getElementById("theme");
  button.innerHTML = icons.theme;
  button.addEventListener("click", () => {
    chosen = isDark() ? "light" : "dark";
    apply(chosen);
  });
  system.addEventListener("change", () => apply(wanted()));
  addEventListener("beforeprint", () => apply("light")); // paper is light
  addEventListener("afterprint", () => apply(wanted()));
  apply(wanted());
}

// Left legs are blue, right legs orange, from the fore legs backwards towards the pale end of their row.
export function legColors(legs) {
  const out = [];
  for (const side of ["left", "right", "none"]) {
    const row = legs.map((leg, k) => ({ ...leg, k })).filter((leg) => leg.side === side).sort((a, b) => b.forward - a.forward);
    const spread = Math.min(1, 0.3 + 0.15 * (row.length - 1));
    row.forEach(({ k }, i) => (out[k] = mix(color(`${side}-fore`), color(`${side}-hind`), i ? (spread * i) / (row.length - 1) : 0)));
  }
  return out;
}

// Between two colours of the form #rrggbb.
function mix(a, b, share) {
  const part = (hex, k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16);
  return `#${[0, 1, 2].map((k) => Math.round(part(a, k) + share * (part(b, k) - part(a, k))).toString(16).padStart(2, "0")).join("")}`;
}

export const seriesColor = (k) => color(`series-${k % 8}`);

export const swatch = (css) => element("i", { class: "swatch", style: `background:${css}` });
