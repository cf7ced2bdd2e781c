// Light or dark: the system's choice until the reader makes one. Colours are those of style.css.

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

// Left legs are blue, right legs orange, paler from the fore legs backwards; lone series take the general order.
export function legColors(legs) {
  const seen = { left: 0, right: 0, none: 0 };
  const fore = legs.map((leg, k) => ({ k, leg })).sort((a, b) => b.leg.forward - a.leg.forward);
  const out = [];
  for (const { k, leg } of fore) out[k] = `var(--${leg.side}-${Math.min(seen[leg.side]++, 3)})`;
  return out;
}

export const seriesColor = (k) => `var(--series-${k % 8})`;

// A CSS colour as canvas and three.js understand it.
export function resolved(css) {
  const name = /^var\(--(.+)\)$/.exec(css);
  return name ? color(name[1]) : css;
}

export const swatch = (css) => element("i", { class: "swatch", style: `background:${css}` });
