// Clouds of points in 3D, such as the places that a limb can reach. One renderer serves all of them.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { floats } from "./data.js";
import { element, number } from "./dom.js";
import { lengthText, niceStep } from "./ground.js";
import { color, seriesColor, swatch } from "./theme.js";

let shared; // undefined: not tried; null: no WebGL

export function renderer() {
  if (shared !== undefined) return shared;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, alpha: true });
  shared = context && new THREE.WebGLRenderer({ canvas, context, antialias: true, alpha: true });
  return shared;
}

export class PointsView {
  #box;
  #canvas = element("canvas", { class: "points-canvas" });
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(30, 1, 0.001, 1000);
  #controls;
  #watcher;
  #pending = false;

  static open(box, data) {
    return renderer() && new PointsView(box, data);
  }

  constructor(box, data) {
    this.#box = box;
    box.append(this.#canvas);
    const range = valueRange(data.sets);
    const bounds = new THREE.Box3();
    data.sets.forEach((set, k) => {
      const cloud = makeCloud(set, k, range);
      this.#scene.add(cloud);
      bounds.union(cloud.geometry.boundingBox);
    });
    this.#legend(data, range);
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, this.#canvas);
    this.#controls.addEventListener("change", () => this.#invalidate());
    this.#frame(bounds);
    this.#watcher = new ResizeObserver(() => this.#invalidate());
    this.#watcher.observe(box);
  }

  #legend({ sets, valueLabel }, range) {
    const items = range
      ? [element("li", {}, number(range[0], 3), element("i", { class: "ramp" }), number(range[1], 3), valueLabel ? ` ${valueLabel}` : "")]
      : sets.filter(({ name }) => name).map(({ name }, k) => element("li", {}, swatch(seriesColor(k)), name));
    this.#box.append(element("ul", { class: "legend" }, ...items, element("li", { class: "muted" }, `grid ${lengthText(this.#step(sets))}`)));
  }

  #step(sets) {
    const box = new THREE.Box3();
    for (const { points } of sets) box.union(new THREE.Box3().setFromArray(floats(points)));
    const size = box.getSize(new THREE.Vector3()).length() || 1;
    return niceStep(size / 6);
  }

  #frame(bounds) {
    const centre = bounds.getCenter(new THREE.Vector3());
    const size = bounds.getSize(new THREE.Vector3()).length() || 1;
    const step = niceStep(size / 6);
    const count = 2 * Math.ceil(size / 2 / step) + 2;
    const grid = new THREE.GridHelper(count * step, count, color("grid"), color("grid")).rotateX(Math.PI / 2);
    grid.position.set(Math.round(centre.x / step) * step, Math.round(centre.y / step) * step, bounds.min.z);
    this.#scene.add(grid);
    this.#controls.target.copy(centre);
    this.#camera.position.copy(centre).add(new THREE.Vector3(0.6, -1, 0.5).normalize().multiplyScalar(2 * size));
    this.#camera.near = 0.02 * size;
    this.#camera.far = 30 * size;
    this.#controls.update();
  }

  #invalidate() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => this.#render());
  }

  #render() {
    this.#pending = false;
    const width = this.#canvas.clientWidth;
    const height = this.#canvas.clientHeight;
    if (!width || !shared) return;
    const ratio = Math.min(devicePixelRatio, 2);
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    shared.setPixelRatio(ratio);
    shared.setSize(width, height, false);
    shared.render(this.#scene, this.#camera);
    this.#canvas.getContext("2d").drawImage(shared.domElement, 0, 0);
  }

  close() {
    this.#watcher.disconnect();
    this.#controls.dispose();
    this.#scene.traverse((node) => {
      node.geometry?.dispose();
      node.material?.dispose();
    });
  }
}

function valueRange(sets) {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of sets)
    if (values)
      for (const value of floats(values)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
  return low <= high ? [low, high] : null;
}

function makeCloud({ points, values }, k, range) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(points), 3));
  if (values) geometry.setAttribute("color", new THREE.BufferAttribute(ramp(floats(values), range), 3));
  geometry.computeBoundingBox();
  const material = new THREE.PointsMaterial({ size: 3.2, sizeAttenuation: false, vertexColors: Boolean(values) });
  if (!values) material.color.set(seriesColor(k));
  return new THREE.Points(geometry, material);
}

// Blue over green to yellow, even in lightness: the same stops as .ramp in style.css.
const stops = ["#3b4a8c", "#2a7f8e", "#4db06a", "#e7d24a"].map((css) => new THREE.Color(css));

function ramp(values, [low, high]) {
  const out = new Float32Array(3 * values.length);
  const tint = new THREE.Color();
  values.forEach((value, i) => {
    const x = (high > low ? (value - low) / (high - low) : 0.5) * (stops.length - 1);
    const k = Math.min(Math.floor(x), stops.length - 2);
    tint.lerpColors(stops[k], stops[k + 1], x - k).toArray(out, 3 * i);
  });
  return out;
}
