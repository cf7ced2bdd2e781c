// Equation 4 of modal locomotion, evaluated here: joints = rest + sum of shapes times (alpha sin(2 pi f t + phase) + beta),
// kept within soft limits. Sliders for the alpha, phase and beta of every mode, and the command that gives the same motion.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Body } from "./body.js";
import { floats } from "./data.js";
import { element, number } from "./dom.js";
import { command } from "./made.js";
import { renderer } from "./points.js";

const degree = Math.PI / 180;

// d past a limit becomes d soft / (d + soft).
export function softLimit(y, [lower, upper], soft) {
  if (y > upper) return upper + ((y - upper) * soft) / (y - upper + soft);
  if (y < lower) return lower - ((lower - y) * soft) / (lower - y + soft);
  return y;
}

export function modalPose({ x0, modes, limits, soft }, time, out) {
  for (let j = 0; j < x0.length; ++j) out[j] = x0[j];
  for (const { shape, use } of modes) {
    const a = use.alpha * Math.sin(2 * Math.PI * use.hz * time + use.phase) + use.beta;
    if (a !== 0) for (let j = 0; j < out.length; ++j) out[j] += a * shape[j];
  }
  for (let j = 0; j < out.length; ++j) out[j] = softLimit(out[j], limits[j], soft);
  return out;
}

// Places every link (matrices in `frames`) for joint coordinates x; the root stands as in the rest pose.
export function placeLinks({ links, q0 }, x, frames) {
  const turn = new THREE.Matrix4();
  const shift = new THREE.Matrix4();
  links.forEach(({ parent, pos, rot, screws }, k) => {
    const frame = frames[k].compose(new THREE.Vector3(...pos), new THREE.Quaternion(...rot), new THREE.Vector3(1, 1, 1));
    for (const { type, axis, anchor, x: at, zero } of screws) {
      if (type === "free") {
        frame.compose(new THREE.Vector3(q0[0], q0[1], q0[2]), new THREE.Quaternion(q0[4], q0[5], q0[6], q0[3]), new THREE.Vector3(1, 1, 1));
        continue;
      }
      if (type === "slide") {
        frame.multiply(shift.makeTranslation(...axis.map((a) => a * (x[at] - zero))));
        continue;
      }
      const vector = type === "ball" ? new THREE.Vector3(x[at], x[at + 1], x[at + 2]) : new THREE.Vector3(...axis).multiplyScalar(x[at] - zero);
      const angle = vector.length();
      if (angle > 1e-12) turn.makeRotationAxis(vector.multiplyScalar(1 / angle), angle);
      else turn.identity();
      frame.multiply(shift.makeTranslation(...anchor)).multiply(turn).multiply(shift.makeTranslation(...anchor.map((a) => -a)));
    }
    if (parent >= 0) frame.premultiply(frames[parent]);
  });
}

export class ModesView {
  #box;
  #data;
  #canvas = element("canvas", { class: "points-canvas modes-canvas" });
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
  #controls;
  #body;
  #poses;
  #drawn;
  #frames;
  #x;
  #open = true;
  #start = performance.now();
  #command = element("div", {});
  #base;

  static open(box, data, entry) {
    return renderer() && new ModesView(box, data, entry);
  }

  constructor(box, data, entry) {
    this.#box = box;
    this.#data = { ...data, modes: data.modes.map((mode) => ({ ...mode, shape: floats(mode.shape), use: { ...mode.use } })) };
    this.#x = new Float64Array(data.x0.length);
    this.#frames = data.links.map(() => new THREE.Matrix4());
    const index = new Map(data.links.map(({ name }, k) => [name, k]));
    this.#drawn = entry.creature.links.map(({ name }) => index.get(name));
    this.#poses = new Float32Array(7 * this.#drawn.length);
    this.#body = new Body({ creature: entry.creature, poses: this.#poses, frames: 1, start: 0, rate: 1 });
    this.#base = (entry.made.command || "").replace(/\s--(mode|posture|show)(=|\s)('[^']*'|"[^"]*"|\S+)/g, "");
    this.#scene.add(this.#body.group, new THREE.HemisphereLight(0xffffff, 0x8a8a90, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -1.2, 2);
    this.#scene.add(sun);
    box.append(this.#canvas, this.#table(), this.#command);
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, this.#canvas);
    this.#pose(0);
    this.#frame();
    this.#tell();
    requestAnimationFrame(() => this.#tick());
  }

  #table() {
    const slider = (use, key, low, high, step, scale = 1) => {
      const shown = element("output", {}, number(use[key] / scale, 3));
      const input = element("input", {
        type: "range", min: low, max: high, step, value: use[key] / scale,
        oninput: () => {
          use[key] = Number(input.value) * scale;
          shown.textContent = number(Number(input.value), 3);
          this.#tell();
        },
      });
      return element("td", {}, input, shown);
    };
    const rows = this.#data.modes.map((mode) =>
      element("tr", { class: mode.use.alpha || mode.use.beta ? "used" : "" },
        element("td", { class: "number" }, String(mode.mode)),
        element("td", { class: "number" }, number(mode.hz, 3)),
        element("td", {}, element("button", { type: "button", class: "solo", title: "move this mode alone", onclick: () => this.#solo(mode) }, mode.words)),
        slider(mode.use, "alpha", 0, 1.5, 0.01),
        slider(mode.use, "phase", 0, 360, 15, degree),
        slider(mode.use, "beta", -1, 1, 0.01)));
    return element("div", { class: "modes-table" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["mode", "Hz", "what it does", "alpha", "phase [deg]", "beta"].map((name) => element("th", {}, name)))),
      element("tbody", {}, ...rows)));
  }

  // One mode moves and the others rest; a second click restores them.
  #solo(mode) {
    this.#data.solo = this.#data.solo === mode ? null : mode;
  }

  #tell() {
    const round = (v) => String(Number(v.toFixed(4)));
    const terms = this.#data.modes.filter(({ use }) => use.alpha !== 0 || use.beta !== 0)
      .map(({ mode, use }) => `--mode ${mode}=${[use.alpha, use.phase / degree, use.hz, use.beta].map(round).join(",")}`);
    this.#command.replaceChildren(command([this.#base, ...terms].join(" ")));
  }

  #pose(time) {
    const { solo } = this.#data;
    const modes = solo ? [{ shape: solo.shape, use: { alpha: 0.5, phase: 0, hz: 1, beta: 0 } }] : this.#data.modes;
    modalPose({ ...this.#data, modes }, time, this.#x);
    placeLinks(this.#data, this.#x, this.#frames);
    const p = new THREE.Vector3();
    const q = new THREE.Quaternion();
    const s = new THREE.Vector3();
    this.#drawn.forEach((link, k) => {
      this.#frames[link].decompose(p, q, s);
      p.toArray(this.#poses, 7 * k);
      q.toArray(this.#poses, 7 * k + 3);
    });
    this.#body.setTime(0);
  }

  #frame() {
    const bounds = new THREE.Box3().setFromObject(this.#body.group);
    const centre = bounds.getCenter(new THREE.Vector3());
    const size = bounds.getSize(new THREE.Vector3()).length() || 1;
    this.#controls.target.copy(centre);
    const narrow = Math.max(1, (1.25 * this.#canvas.clientHeight) / this.#canvas.clientWidth || 1);
    this.#camera.position.copy(centre).add(new THREE.Vector3(0.5, -1, 0.3).normalize().multiplyScalar(1.6 * narrow * size));
    this.#camera.near = 0.02 * size;
    this.#camera.far = 30 * size;
    this.#controls.update();
  }

  #tick() {
    if (!this.#open) return;
    const seen = this.#canvas.getBoundingClientRect();
    if (seen.bottom > 0 && seen.top < innerHeight) this.#render();
    requestAnimationFrame(() => this.#tick());
  }

  #render() {
    const shared = renderer();
    const width = this.#canvas.clientWidth;
    const height = this.#canvas.clientHeight;
    if (!width) return;
    this.#pose((performance.now() - this.#start) / 1000);
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.#canvas.width !== width * ratio) this.#canvas.width = width * ratio;
    if (this.#canvas.height !== height * ratio) this.#canvas.height = height * ratio;
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    shared.setPixelRatio(ratio);
    shared.setSize(width, height, false);
    shared.render(this.#scene, this.#camera);
    const context = this.#canvas.getContext("2d");
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.drawImage(shared.domElement, 0, 0);
  }

  close() {
    this.#open = false;
    this.#controls.dispose();
    this.#body.dispose();
  }
}
