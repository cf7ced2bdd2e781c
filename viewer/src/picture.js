// A small picture of a motion without graphics hardware: triangles into a depth buffer, lit as the film is. It is there before
// the 3D view is warm, waits for no drawing of that, and needs no WebGL.

import * as THREE from "three";
import { linkGeometry } from "./body.js";
import { floats, indices } from "./data.js";
import { niceStep } from "./ground.js";
import { fieldOfView, lights, sunward } from "./light.js";
import { Path, view } from "./path.js";
import { color } from "./theme.js";

const fine = 2; // rays across a pixel
const near = 1e-3; // of the eye's distance

export function drawPicture(entry, width, height) {
  const path = new Path(entry);
  const time = entry.start + 0.5 * entry.duration;
  const eye = new Eye(path, time, width / height, fine * height);
  const screen = new Screen(fine * width, fine * height);
  const light = lights();
  const body = placeBody(entry, time);
  const ground = groundTriangles(entry.ground, eye.centre, 9 * path.radius);
  if (ground) {
    const shadow = new Screen(fine * width, fine * height);
    const plane = planeUnder(ground, eye.centre);
    if (plane) for (const part of body) drawShadow(shadow, eye, part, plane);
    drawGround(screen, shadow, eye, ground, { light, centre: eye.centre, radius: path.radius });
  }
  for (const part of body) drawPart(screen, eye, part, light);
  return screen.toCanvas(width, height);
}

// --- what is drawn

// Vertices, normals and colours of every link, in the world.
function placeBody(entry, time) {
  const { creature, frames, rate, start, poses } = entry;
  const frame = Math.min(frames - 1, Math.round((time - start) * rate));
  const placed = new THREE.Matrix4();
  const [p, q, one] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)];
  return creature.links.flatMap((link, k) => {
    if (!link.shapes.length) return [];
    const { attributes, index } = linkGeometry(link);
    const at = 7 * (frame * creature.links.length + k);
    placed.compose(p.fromArray(poses, at), q.fromArray(poses, at + 3), one);
    return [{
      index: index.array,
      points: attributes.position.clone().applyMatrix4(placed).array,
      normals: attributes.normal.clone().transformDirection(placed).array,
      colors: attributes.color.array,
    }];
  });
}

// Corners of the ground's triangles; a plane is two around the creature.
function groundTriangles(ground, { x, y }, reach) {
  if (ground.type === "none") return null;
  if (ground.type === "plane") {
    const z = ground.height;
    const corner = (a, b) => [x + a * reach, y + b * reach, z];
    return { points: [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)].flat(), index: [0, 1, 2, 0, 2, 3] };
  }
  return { points: floats(ground.vertices), index: indices(ground.triangles) };
}

// The plane of the triangle below a point: [normal, distance from the origin].
function planeUnder({ points, index }, { x, y }) {
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let i = 0; i < index.length; i += 3) {
    [a, b, c].forEach((corner, k) => corner.fromArray(points, 3 * index[i + k]));
    const side = (from, to) => (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
    const sides = [side(a, b), side(b, c), side(c, a)];
    if (sides.some((s) => s < 0) && sides.some((s) => s > 0)) continue;
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    if (normal.z < 0) normal.negate();
    if (normal.z > 0.1) return { normal, height: normal.dot(a) };
  }
  return null;
}

// --- how it is drawn

// Turns points of the world into places on the screen, with the inverse of their depth.
class Eye {
  centre = new THREE.Vector3();
  position = new THREE.Vector3();
  #right;
  #up;
  #scale;
  #half;

  constructor(path, time, aspect, rows) {
    path.at(time, this.centre);
    const { right, up, middle, distance } = path.framing(0.72, aspect, fieldOfView);
    const target = this.centre.clone().add(middle);
    this.position.copy(target).addScaledVector(view, distance);
    this.near = near * distance;
    this.#right = right;
    this.#up = up;
    this.#scale = rows / (2 * Math.tan(fieldOfView / 2));
    this.#half = [(rows * aspect) / 2, rows / 2];
    this.pixel = 1 / this.#scale; // rad
  }

  // [across, up, depth] along the eye's axes
  axes(x, y, z, out) {
    const [dx, dy, dz] = [x - this.position.x, y - this.position.y, z - this.position.z];
    out[0] = dx * this.#right.x + dy * this.#right.y + dz * this.#right.z;
    out[1] = dx * this.#up.x + dy * this.#up.y + dz * this.#up.z;
    out[2] = -(dx * view.x + dy * view.y + dz * view.z);
    return out;
  }

  // [column, row, 1 / depth]
  project([across, up, depth], out) {
    const inverse = 1 / depth;
    out[0] = this.#half[0] + this.#scale * across * inverse;
    out[1] = this.#half[1] - this.#scale * up * inverse;
    out[2] = inverse;
    return out;
  }
}

class Screen {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.depth = new Float32Array(width * height); // inverse; 0: nothing
    this.pixels = new Uint8ClampedArray(4 * width * height);
  }

  // Calls put(pixel, shares of a, b and c) for every pixel of a triangle that lies before what is there.
  triangle(a, b, c, put) {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (!area) return;
    const low = (k) => Math.max(0, Math.ceil(Math.min(a[k], b[k], c[k]) - 0.5));
    const high = (k, size) => Math.min(size - 1, Math.floor(Math.max(a[k], b[k], c[k]) - 0.5));
    const [left, right, top, bottom] = [low(0), high(0, this.width), low(1), high(1, this.height)];
    const [du, dv] = [(b[1] - c[1]) / area, (c[1] - a[1]) / area];
    for (let row = top; row <= bottom; ++row) {
      const y = row + 0.5;
      let u = ((b[0] - (left + 0.5)) * (c[1] - y) - (c[0] - (left + 0.5)) * (b[1] - y)) / area;
      let v = ((c[0] - (left + 0.5)) * (a[1] - y) - (a[0] - (left + 0.5)) * (c[1] - y)) / area;
      for (let column = left, at = row * this.width + left; column <= right; ++column, ++at, u += du, v += dv) {
        const w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        const inverse = u * a[2] + v * b[2] + w * c[2];
        if (inverse <= this.depth[at]) continue;
        this.depth[at] = inverse;
        put(at, u, v, w);
      }
    }
  }

  // Averages of fine x fine pixels.
  toCanvas(width, height) {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const image = new ImageData(width, height);
    for (let row = 0, to = 0; row < height; ++row)
      for (let column = 0; column < width; ++column, to += 4) {
        let [red, green, blue, alpha] = [0, 0, 0, 0];
        for (let i = 0; i < fine; ++i)
          for (let j = 0; j < fine; ++j) {
            const from = 4 * ((fine * row + i) * this.width + fine * column + j);
            const weight = this.pixels[from + 3];
            red += weight * this.pixels[from];
            green += weight * this.pixels[from + 1];
            blue += weight * this.pixels[from + 2];
            alpha += weight;
          }
        if (!alpha) continue;
        image.data[to] = red / alpha;
        image.data[to + 1] = green / alpha;
        image.data[to + 2] = blue / alpha;
        image.data[to + 3] = alpha / (fine * fine);
      }
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }
}

// Light that a matt surface returns, as three.js computes it: [r, g, b] for a normal, times what it reflects.
function shine({ sky, ground, sun }, normal, lit, out) {
  const up = 0.5 * normal[2] + 0.5;
  const facing = lit ? Math.max(0, normal[0] * sunward.x + normal[1] * sunward.y + normal[2] * sunward.z) : 0;
  for (let i = 0; i < 3; ++i) out[i] = (ground[i] + up * (sky[i] - ground[i]) + facing * sun[i]) / Math.PI;
  return out;
}

// Linear light as the screen's bytes, from a table.
const bytes = Uint8ClampedArray.from({ length: 4097 }, (_, k) => {
  const x = k / 4096;
  return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055) + 0.5;
});
const byte = (x) => bytes[Math.min(4096, Math.max(0, Math.round(4096 * x)))];

function drawPart(screen, eye, { index, points, normals, colors }, light) {
  const count = points.length / 3;
  const [places, shades] = [new Array(count), new Float32Array(3 * count)];
  const [axes, returned, normal] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let k = 0; k < count; ++k) {
    eye.axes(points[3 * k], points[3 * k + 1], points[3 * k + 2], axes);
    places[k] = axes[2] > eye.near ? eye.project(axes, [0, 0, 0]) : null;
    for (let i = 0; i < 3; ++i) normal[i] = normals[3 * k + i];
    shine(light, normal, true, returned);
    for (let i = 0; i < 3; ++i) shades[3 * k + i] = returned[i] * colors[3 * k + i];
  }
  for (let i = 0; i < index.length; i += 3) {
    const [k, l, m] = [index[i], index[i + 1], index[i + 2]];
    const [a, b, c] = [places[k], places[l], places[m]];
    if (!a || !b || !c || (b[0] - a[0]) * (c[1] - a[1]) >= (c[0] - a[0]) * (b[1] - a[1])) continue; // seen from behind
    screen.triangle(a, b, c, (at, u, v, w) => {
      for (let j = 0; j < 3; ++j) screen.pixels[4 * at + j] = byte(u * shades[3 * k + j] + v * shades[3 * l + j] + w * shades[3 * m + j]);
      screen.pixels[4 * at + 3] = 255;
    });
  }
}

// Where the ground lies in the body's shadow: the body thrown along the sun's rays onto the plane below it.
function drawShadow(shadow, eye, { index, points }, { normal, height }) {
  const along = normal.dot(sunward);
  const places = [];
  const [p, axes] = [new THREE.Vector3(), [0, 0, 0]];
  for (let k = 0; k < points.length / 3; ++k) {
    p.fromArray(points, 3 * k);
    const above = normal.dot(p) - height;
    p.addScaledVector(sunward, -above / along);
    eye.axes(p.x, p.y, p.z, axes);
    places.push(above > 0 && axes[2] > eye.near ? eye.project(axes, [0, 0, 0]) : null);
  }
  for (let i = 0; i < index.length; i += 3) {
    const [a, b, c] = [places[index[i]], places[index[i + 1]], places[index[i + 2]]];
    if (a && b && c) shadow.triangle(a, b, c, () => {});
  }
}

// The ground with its grid, fading into the background far out.
function drawGround(screen, shadow, eye, { points, index }, { light, centre, radius }) {
  const tint = new THREE.Color(color("ground"));
  const line = new THREE.Color(color("grid"));
  const cell = niceStep(0.5 * radius);
  const [a, b, c, normal] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  for (let i = 0; i < index.length; i += 3) {
    [a, b, c].forEach((corner, k) => corner.fromArray(points, 3 * index[i + k]));
    normal.subVectors(b, a).cross(c.clone().sub(a)).normalize();
    if (normal.dot(eye.position) < normal.dot(a)) continue;
    const shades = [true, false].map((lit) => shine(light, normal.toArray(), lit, [0, 0, 0]));
    const slant = Math.abs(normal.dot(view));
    for (const [p, q, r] of clipped(eye, [a, b, c]))
      screen.triangle(p, q, r, (at, u, v, w) => {
        const depth = 1 / screen.depth[at];
        const x = depth * (u * p[3] + v * q[3] + w * r[3]);
        const y = depth * (u * p[4] + v * q[4] + w * r[4]);
        const pixel = (depth * eye.pixel) / Math.max(slant, 0.1);
        const grid = Math.max(0.3 * gridLine(x, y, cell, pixel), 0.7 * gridLine(x, y, 5 * cell, pixel));
        const shade = shades[shadow.depth[at] > 0 ? 1 : 0];
        screen.pixels[4 * at] = byte(shade[0] * (tint.r + grid * (line.r - tint.r)));
        screen.pixels[4 * at + 1] = byte(shade[1] * (tint.g + grid * (line.g - tint.g)));
        screen.pixels[4 * at + 2] = byte(shade[2] * (tint.b + grid * (line.b - tint.b)));
        const far = Math.min(Math.max((Math.hypot(x - centre.x, y - centre.y) / (9 * radius) - 0.25) / 0.75, 0), 1);
        screen.pixels[4 * at + 3] = 255 * (1 - far * far * (3 - 2 * far));
      });
  }
}

// 1 on the lines of a grid, about two fine pixels wide; nothing where they lie too close.
function gridLine(x, y, cell, pixel) {
  const dense = 1 - Math.min(Math.max((pixel / cell - 0.08) / 0.27, 0), 1);
  const off = Math.min(Math.abs(x / cell - Math.round(x / cell)), Math.abs(y / cell - Math.round(y / cell))) * cell;
  return dense * Math.max(0, 1 - off / (1.5 * pixel));
}

// The part of a triangle before the eye as triangles on the screen: [column, row, 1 / depth, x / depth, y / depth].
function clipped(eye, corners) {
  const seen = corners.map((p) => ({ p, axes: eye.axes(p.x, p.y, p.z, [0, 0, 0]) }));
  const kept = [];
  seen.forEach((from, k) => {
    const to = seen[(k + 1) % 3];
    if (from.axes[2] > eye.near) kept.push(from);
    if (from.axes[2] > eye.near === to.axes[2] > eye.near) return;
    const share = (eye.near - from.axes[2]) / (to.axes[2] - from.axes[2]);
    const axes = from.axes.map((value, i) => value + share * (to.axes[i] - value));
    axes[2] = eye.near;
    kept.push({ p: from.p.clone().lerp(to.p, share), axes });
  });
  const places = kept.map(({ p, axes }) => {
    const place = eye.project(axes, [0, 0, 0, 0, 0]);
    place[3] = p.x * place[2];
    place[4] = p.y * place[2];
    return place;
  });
  return places.slice(2).map((last, k) => [places[0], places[k + 1], last]);
}
