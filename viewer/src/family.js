// The family tree of bodies that evolved: generations from left to right, scores upward; a click shows a body's line.

import { element, number, svg } from "./dom.js";
import { color, seriesColor } from "./theme.js";

const [width, height, left, bottom, top, right] = [900, 420, 46, 34, 12, 12];

// Numbers from a body back to the one that its line started from.
export function line(lives, from) {
  const byNumber = new Map(lives.map((life) => [life.number, life]));
  const found = [];
  for (let at = byNumber.get(from); at; at = byNumber.get(at.parent)) found.push(at);
  return found;
}

export function familyTree(box, { lives, shown }) {
  const last = Math.max(1, ...lives.map(({ generation }) => generation));
  const best = Math.max(1e-9, ...lives.map(({ score }) => score));
  const x = ({ generation }) => left + ((width - left - right) * generation) / last;
  const y = ({ score }) => height - bottom - ((height - bottom - top) * Math.max(0, score)) / best;
  const byNumber = new Map(lives.map((life) => [life.number, life]));
  const branches = svg("g", { stroke: color("line"), fill: "none", "stroke-width": 1 });
  const bodies = svg("g", {});
  const parts = new Map();
  for (const life of lives) {
    const parent = byNumber.get(life.parent);
    const branch = parent && svg("path", { d: `M${x(parent)} ${y(parent)}L${x(life)} ${y(life)}` });
    if (branch) branches.append(branch);
    const ringed = shown.includes(life.number);
    const dot = svg("circle", {
      cx: x(life), cy: y(life), r: ringed ? 6 : 3.5, fill: seriesColor(life.legs), tabindex: 0, "data-body": life.number,
      stroke: ringed ? color("ink") : "none", "stroke-width": 1.5, style: "cursor: pointer",
    }, svg("title", {}, `body ${life.number}: ${life.plan}, ${number(life.lengths)} own lengths; ${life.how}`));
    bodies.append(dot);
    parts.set(life.number, { branch, dot });
  }
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 12, fill: color("muted") },
    svg("text", { x: width / 2, y: height - 6, "text-anchor": "middle" }, `generation (0 to ${last})`),
    svg("text", { x: 12, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${height / 2})` }, `score (0 to ${number(best)})`),
    branches, bodies);
  const told = element("ol", { class: "family-line" });
  const choose = (from) => {
    const chosen = line(lives, from);
    const inLine = new Set(chosen.map((life) => life.number));
    for (const [of, { branch, dot }] of parts) {
      dot.setAttribute("opacity", inLine.has(of) ? 1 : 0.25);
      if (!branch) continue;
      branch.setAttribute("stroke", inLine.has(of) ? color("ink") : color("line"));
      branch.setAttribute("stroke-width", inLine.has(of) ? 2 : 1);
    }
    told.replaceChildren(...chosen.map((life) => element("li", {},
      `body ${life.number}, generation ${life.generation}: ${life.how}; ${life.plan}, ${number(life.lengths)} own lengths`)));
  };
  const pick = (event) => event.target.dataset?.body !== undefined && choose(Number(event.target.dataset.body));
  bodies.addEventListener("click", pick);
  bodies.addEventListener("keydown", (event) => event.key === "Enter" && pick(event));
  box.append(picture, told);
  if (shown.length) choose(shown[0]);
}
