// Where the creature is as a whole: for the camera that follows, the shadow and the size of things.

import { frameAt } from "./data.js";

// Reach of a link's shapes from the link's origin, m.
function reach({ shapes }) {
  let most = 0;
  for (const { type, size, pos, radius } of shapes) {
    const [a, b, c] = size;
    const own = { box: Math.hypot(a, b, c) / 2, sphere: a, capsule: a + b / 2, cylinder: Math.hypot(a, b / 2),
      ellipsoid: Math.max(a, b, c), mesh: radius }[type];
    most = Math.max(most, Math.hypot(...pos) + own);
  }
  return most;
}

export class Path {
  #entry;
  #smooth; // frames x 3

  constructor(entry) {
    this.#entry = entry;
    const { links } = entry.creature;
    // props that stand in the world do not count, unless there is nothing else
    const still = links.every(({ fixed }) => fixed);
    const reaches = links.map((link) => (link.fixed && !still ? 0 : reach(link)));
    const centres = this.#centres(reaches.map((r) => r ** 3));
    this.#smooth = average(centres, entry.frames, Math.round(0.35 * entry.rate));
    this.radius = this.#radius(centres, reaches);
  }

  // Mean of the links' origins, weighed by their size, at every frame.
  #centres(weights) {
    const { poses, frames } = this.#entry;
    const total = weights.reduce((a, b) => a + b, 0) || 1;
    const out = new Float32Array(3 * frames);
    for (let i = 0; i < frames; ++i)
      weights.forEach((weight, k) => {
        for (let axis = 0; axis < 3; ++axis)
          out[3 * i + axis] += (weight / total) * poses[7 * (i * weights.length + k) + axis];
      });
    return out;
  }

  // Of a ball around the centre that holds the creature in (nearly) every frame.
  #radius(centres, reaches) {
    const { poses, frames } = this.#entry;
    const radii = [];
    for (let i = 0; i < frames; i += Math.max(1, Math.floor(frames / 60))) {
      let radius = 0;
      reaches.forEach((r, k) => {
        if (!r) return;
        const at = 7 * (i * reaches.length + k);
        radius = Math.max(radius, r + Math.hypot(...[0, 1, 2].map((axis) => poses[at + axis] - centres[3 * i + axis])));
      });
      radii.push(radius);
    }
    radii.sort((a, b) => a - b);
    return radii[Math.floor(0.9 * (radii.length - 1))] || 1;
  }

  at(time, out) {
    const { frame, blend } = frameAt(this.#entry, time);
    const next = Math.min(frame + 1, this.#entry.frames - 1);
    return out.set(
      ...[0, 1, 2].map((axis) => (1 - blend) * this.#smooth[3 * frame + axis] + blend * this.#smooth[3 * next + axis]),
    );
  }
}

// Moving average over 2 half + 1 frames, shorter at the ends.
function average(values, frames, half) {
  const out = new Float32Array(values.length);
  for (let axis = 0; axis < 3; ++axis) {
    const sums = new Float64Array(frames + 1);
    for (let i = 0; i < frames; ++i) sums[i + 1] = sums[i] + values[3 * i + axis];
    for (let i = 0; i < frames; ++i) {
      const reach = Math.min(half, i, frames - 1 - i);
      out[3 * i + axis] = (sums[i + reach + 1] - sums[i - reach]) / (2 * reach + 1);
    }
  }
  return out;
}
