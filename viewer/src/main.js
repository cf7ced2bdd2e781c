// Puts the page together: one clock, one motion shown at a time.

import { readEntry, readIndex } from "./data.js";
import { element } from "./dom.js";
import { GaitDiagram, legKey } from "./gait_diagram.js";
import { Gallery } from "./gallery.js";
import { lengthText } from "./ground.js";
import { showMade } from "./made.js";
import { showMeasures, showSummary } from "./measures.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { Span } from "./span.js";
import { Stage } from "./stage.js";
import { onTheme, startTheme } from "./theme.js";
import { startTransport } from "./transport.js";

const $ = (id) => document.getElementById(id);

// The pictures of a gallery are on the screen before the 3D view begins, whose first frame may take long.
function start(index) {
  startTheme();
  document.title = $("report-title").textContent = index.title;
  $("report-text").textContent = index.text ?? "";
  let choose = () => {}; // until there is a film
  const gallery = new Gallery($("gallery"), index, (k) => choose(k));
  const film = () => (choose = startFilm(index, gallery));
  if (gallery.isOpen) afterPaint(film);
  else film();
}

// A page that nobody looks at paints nothing.
function afterPaint(fn) {
  const timer = setTimeout(fn, 300);
  requestAnimationFrame(() => setTimeout(() => {
    clearTimeout(timer);
    fn();
  }));
}

function startFilm(index, gallery) {
  $("footer").textContent = `Made by Legwork ${index.version}. Space plays, arrows step a frame (with shift ten), Home and End jump, F follows.`;

  const stage = Stage.open($("stage"));
  if (!stage) {
    $("stage").classList.add("blank");
    $("stage").append(element("p", { class: "notice", id: "no-webgl" }, "This browser has no WebGL, so the creature cannot be drawn. The gait diagram, the plots and the numbers below are complete."));
  }
  const player = new Player();
  const span = new Span();
  let entry = null;
  let parts = []; // of the page below the film

  player.onChange(() => {
    stage?.setTime(player.time);
    for (const part of parts) part.setTime?.(player.time);
  });
  startTransport(player, stage);

  function open(k) {
    entry = readEntry(k);
    for (const part of parts) part.close?.();
    parts = [];
    span.open(entry.time[0], entry.time[entry.frames - 1]);
    stage?.open(entry);
    player.open({ start: span.from, end: span.to, frameTime: 1 / entry.rate });
    $("caption").textContent = index.entries.length > 1 ? entry.title : "";
    $("scale").textContent = stage && entry.ground.type !== "none" ? `Grid ${lengthText(stage.gridCell)}` : "";
    showSummary($("summary"), entry);
    showMade($("made"), entry);
    showLegs();
    $("gait").hidden = !entry.legs.length;
    if (entry.legs.length) parts.push(new GaitDiagram($("gait"), entry, player, span));
    parts.push(new Plots($("plots"), entry, player, span), new Panels($("panels"), entry));
    gallery.mark(k);
  }

  function showLegs() {
    $("leg-key").replaceChildren(...legKey(entry));
    showMeasures($("measures"), entry);
  }

  open(0);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
  onTheme(() => {
    stage?.setTheme();
    showLegs();
    for (const part of parts) part.redraw();
  });
  new ResizeObserver(() => parts.forEach((part) => part.resize?.())).observe($("plots"));
  startPrint(stage, () => parts);
  document.documentElement.dataset.ready = "true";
  return open;
}

// On paper: a still in place of the film, for a WebGL canvas prints blank, and plots of the sheet's width, for the browser
// lays the page out again without notifying scripts.
const sheet = { width: 686, gap: 10 }; // px: A4 less the margins of style.css

function startPrint(stage, parts) {
  const still = element("img", { class: "still", alt: "" });
  addEventListener("beforeprint", () => {
    for (const part of parts()) part.fit?.(sheet.width, sheet.gap);
    if (!stage) return;
    still.src = stage.snapshot();
    $("stage").append(still);
  });
  addEventListener("afterprint", () => {
    still.remove();
    for (const part of parts()) part.resize?.();
  });
}

const index = readIndex();
if (index?.entries.length) start(index);
else document.body.append(element("p", { class: "notice" }, "This page holds no motion."));
