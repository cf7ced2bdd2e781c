// Elements in one line each.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "html") node.innerHTML = value; // our own icons only, never data
    else if (value === true && !name.startsWith("aria-")) node.setAttribute(name, "");
    else if (name.startsWith("aria-") || (value !== false && value != null)) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const icon = (path) =>
  `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;

export const icons = {
  play: icon('<path d="M8 5.5v13l10.5-6.5z" fill="currentColor"/>'),
  pause: icon('<path d="M8.5 6v12M15.5 6v12" stroke-width="3"/>'),
  theme: icon('<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 0 0 16z" fill="currentColor"/>'),
  follow: icon('<circle cx="12" cy="12" r="3"/><path d="M12 3v4M12 17v4M3 12h4M17 12h4"/>'),
  forces: icon('<path d="M12 20V5M7 10l5-5 5 5"/>'),
  trackway: icon('<circle cx="6" cy="17" r="2"/><circle cx="10" cy="8" r="2"/><circle cx="15" cy="16" r="2"/><circle cx="19" cy="7" r="2"/>'),
  loop: icon('<path d="M17 4l3 3-3 3M4 12V9a2 2 0 0 1 2-2h14M7 20l-3-3 3-3M20 12v3a2 2 0 0 1-2 2H4"/>'),
  camera: icon('<path d="M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4"/>'),
};

// Four significant digits, a true minus sign, no exponent for everyday sizes, no rounding noise.
export function number(x, digits = 4) {
  if (typeof x !== "number") return x ?? "–";
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size < 1e-9) return "0";
  let text;
  if (size < 1e-5 || size >= 1e6) text = x.toExponential(digits - 2);
  else text = String(Number(x.toPrecision(digits)));
  return text.replace("-", "−");
}

export const seconds = (t) => t.toFixed(2);

// Names from the program, for reading.
export const spaced = (name) => name.replaceAll("_", " ");

// Names of a limb's joints without what all of them share, or else without the limb's own name: hip, knee for lf_hip, lf_knee.
export function shortNames(names, limb = "") {
  const words = names.map((name) => name.split("_"));
  const spare = Math.min(...words.map(({ length }) => length)) - 1; // every name keeps a word
  const shared = (lists, most) => {
    let n = 0;
    while (n < most && lists.every((list) => list[n] === lists[0][n])) ++n;
    return n;
  };
  let first = shared(names.length > 1 ? words : [...words, limb.split("_")], spare);
  while (first > 0 && words.some((list) => /^\d/.test(list[first]))) --first; // tail 1 rather than 1
  const last = names.length > 1 ? shared(words.map((list) => [...list].reverse()), spare - first) : 0;
  return words.map((list) => list.slice(first, list.length - last).join("_"));
}
