// Where the creature is as a whole: for the camera that follows, the shadow and the size of things.

import * as THREE from "three";
import { floats, frameAt } from "./data.js";

export const view = new THREE.Vector3(0.42, -1, 0.36).normalize(); // from its right, a little before it and above
const most = 40; // frames looked at for the size

// Balls [x, y, z, radius] in the link's frame whose hull holds its shapes.
function outline({ shapes }) {
  return shapes.flatMap((shape) => {
    const turn = new THREE.Quaternion(...shape.rot);
    return shapeOutline(shape).map(([x, y, z, r]) => {
      const p = new THREE.Vector3(x, y, z).applyQuaternion(turn);
      return [p.x + shape.pos[0], p.y + shape.pos[1], p.z + shape.pos[2], r];
    });
  });
}

function shapeOutline({ type, size: [a, b, c], mesh }) {
  switch (type) {
    case "sphere":
      return [[0, 0, 0, a]];
    case "capsule":
      return [[0, 0, -b / 2, a], [0, 0, b / 2, a]];
    case "ellipsoid":
      return [[a, 0, 0, 0], [-a, 0, 0, 0], [0, b, 0, 0], [0, -b, 0, 0], [0, 0, c, 0], [0, 0, -c, 0]];
    case "cylinder":
      return corners([-a, -a, -b / 2], [a, a, b / 2]);
    case "box":
      return corners([-a / 2, -b / 2, -c / 2], [a / 2, b / 2, c / 2]);
    case "mesh": {
      const box = new THREE.Box3().setFromArray(floats(mesh.vertices));
      return corners(box.min.toArray(), box.max.toArray());
    }
  }
  throw new Error(`unknown shape '${type}'`);
}

function corners(low, high) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis]).concat(0));
}

export class Path {
  #entry;
  #smooth; // frames x 3
  #cloud = []; // [x, y, z, radius] about the centre, of the frames looked at

  constructor(entry) {
    this.#entry = entry;
    const { links } = entry.creature;
    const outlines = links.map(outline);
    const reaches = outlines.map((balls) => Math.max(0, ...balls.map(([x, y, z, r]) => Math.hypot(x, y, z) + r)));
    // things that stand in the world and are much larger than what moves are its surroundings
    const moving = Math.max(0, ...reaches.filter((_, k) => !links[k].fixed));
    const isProp = links.map(({ fixed }, k) => fixed && moving > 0 && reaches[k] > 2 * moving);
    this.hasProps = isProp.includes(true);
    const centres = this.#centres(reaches.map((r, k) => (isProp[k] ? 0 : r ** 3)));
    this.#smooth = average(centres, entry.frames, Math.round(0.35 * entry.rate));
    this.#look(outlines.map((balls, k) => (isProp[k] ? [] : balls)), centres);
    const ends = this.#cloud.map(([x, y, z, r]) => Math.hypot(x, y, z) + r).sort((a, b) => a - b);
    this.radius = ends[Math.floor(0.98 * (ends.length - 1))] || 1;
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

  #look(outlines, centres) {
    const { poses, frames } = this.#entry;
    const [p, q] = [new THREE.Vector3(), new THREE.Quaternion()];
    for (let i = 0; i < frames; i += Math.max(1, Math.floor(frames / most)))
      outlines.forEach((balls, k) => {
        const at = 7 * (i * outlines.length + k);
        q.fromArray(poses, at + 3);
        for (const [x, y, z, r] of balls) {
          p.set(x, y, z).applyQuaternion(q);
          this.#cloud.push([0, 1, 2].map((axis) => p.getComponent(axis) + poses[at + axis] - centres[3 * i + axis]).concat(r));
        }
      });
  }

  // How to look from `view` so that the creature fills a share of a picture; less of it where there are things to see around it.
  // `middle` is what to look at, from the creature's centre.
  framing(share, aspect, fieldOfView) {
    const right = new THREE.Vector3(0, 0, 1).cross(view).normalize();
    const up = new THREE.Vector3().crossVectors(view, right);
    const [across, upward] = [right, up].map((direction) => {
      const { low, high } = this.#extent(direction);
      return (low + high) / 2;
    });
    const tall = (this.hasProps ? 0.4 : 1) * share * Math.tan(fieldOfView / 2);
    const distance = this.#distance({ right, up }, { across, upward }, { wide: tall * aspect, tall });
    return { right, up, distance, middle: right.clone().multiplyScalar(across).addScaledVector(up, upward) };
  }

  // The least and greatest of a ball's place along a direction, over (nearly) all balls.
  #extent(direction) {
    const [dx, dy, dz] = direction.toArray();
    const along = this.#cloud.map(([x, y, z, r]) => [x * dx + y * dy + z * dz, r]);
    const low = along.map(([d, r]) => d - r).sort((a, b) => a - b);
    const high = along.map(([d, r]) => d + r).sort((a, b) => a - b);
    const skip = Math.floor(0.01 * along.length);
    return { low: low[skip] ?? -1, high: high[high.length - 1 - skip] ?? 1 };
  }

  // How far along `view` an eye must stand from the point at `across` and `upward` (along right and up) to see (nearly) all
  // balls within slopes of `wide` and `tall`: what is near looks larger than what is far.
  #distance({ right, up }, { across, upward }, { wide, tall }) {
    const along = (direction, [x, y, z]) => x * direction.x + y * direction.y + z * direction.z;
    const needed = this.#cloud
      .map((ball) => {
        const off = (direction, middle) => Math.abs(along(direction, ball) - middle) + ball[3];
        return along(view, ball) + Math.max(off(right, across) / wide, off(up, upward) / tall);
      })
      .sort((a, b) => a - b);
    return needed[Math.floor(0.99 * (needed.length - 1))] ?? 1;
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
