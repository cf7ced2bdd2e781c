// The creature as meshes: one per link, all its shapes merged, colours at the vertices.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { floats, frameAt, indices } from "./data.js";

// Long shapes lie along z as in the creature file; three.js makes them along y.
function geometryOf({ type, size, mesh }) {
  const [a, b, c] = size;
  switch (type) {
    case "box":
      return new RoundedBoxGeometry(a, b, c, 2, 0.08 * Math.min(a, b, c));
    case "sphere":
      return new THREE.SphereGeometry(a, 20, 14);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 20, 14).scale(a, b, c);
    case "capsule":
      return new THREE.CapsuleGeometry(a, b, 5, 16).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(a, a, b, 24).rotateX(Math.PI / 2);
    case "mesh":
      return meshGeometry(mesh);
  }
  throw new Error(`unknown shape '${type}'`);
}

// Flat facets: creature meshes are coarse, and smooth shading would smear their edges.
function meshGeometry({ vertices, triangles }) {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(floats(vertices), 3));
  indexed.setIndex(new THREE.BufferAttribute(indices(triangles), 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

const made = new WeakMap();

// One geometry for each link of a body, shared by all that is drawn of it.
export function linkGeometry(link) {
  if (!made.has(link)) made.set(link, merge(link.shapes));
  return made.get(link);
}

function merge(shapes) {
  const parts = shapes.map((shape) => {
    const part = geometryOf(shape);
    if (!part.index) part.setIndex([...Array(part.attributes.position.count).keys()]); // else it cannot be merged
    for (const name of Object.keys(part.attributes)) if (name !== "position" && name !== "normal") part.deleteAttribute(name);
    part.applyMatrix4(
      new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.pos),
        new THREE.Quaternion(...shape.rot),
        new THREE.Vector3(1, 1, 1),
      ),
    );
    const tint = new THREE.Color().setRGB(...shape.color, THREE.SRGBColorSpace);
    const count = part.attributes.position.count;
    const colors = new Float32Array(3 * count);
    for (let i = 0; i < count; ++i) tint.toArray(colors, 3 * i);
    part.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    return part;
  });
  return mergeGeometries(parts);
}

export class Body {
  group = new THREE.Group();
  #entry;
  #links;
  #material = new THREE.MeshLambertMaterial({ vertexColors: true });

  constructor(entry) {
    this.#entry = entry;
    this.#links = entry.creature.links.map((link) => {
      if (!link.shapes.length) return null;
      const mesh = new THREE.Mesh(linkGeometry(link), this.#material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      return mesh;
    });
  }

  // Straight lines and shortest turns between the frames that the page holds.
  setTime(time) {
    const { frame, blend } = frameAt(this.#entry, time);
    const { poses, frames } = this.#entry;
    const width = 7 * this.#links.length;
    const now = frame * width;
    const next = Math.min(frame + 1, frames - 1) * width;
    this.#links.forEach((mesh, k) => {
      if (!mesh) return;
      const a = now + 7 * k;
      const b = next + 7 * k;
      mesh.position.fromArray(poses, a).lerp(scratch.p.fromArray(poses, b), blend);
      mesh.quaternion.fromArray(poses, a + 3).slerp(scratch.q.fromArray(poses, b + 3), blend);
    });
  }

  dispose() {
    for (const mesh of this.#links) mesh?.geometry.dispose(); // its copy on the graphics card, made again where it is drawn
    this.#material.dispose();
  }
}

const scratch = { p: new THREE.Vector3(), q: new THREE.Quaternion() };
