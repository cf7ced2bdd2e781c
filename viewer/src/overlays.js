// What can be laid over the film: the forces of the ground, and the trackway.

import * as THREE from "three";
import { frameAt } from "./data.js";
import { color, legColors } from "./theme.js";

const up = new THREE.Vector3(0, 0, 1);

// An arrow from each touching link's centre of pressure; the whole weight would be as long as `reach`.
export class Forces {
  group = new THREE.Group();
  #entry;
  #scale;
  #thick;
  #shafts;
  #heads;
  #material = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.88, depthTest: false }); // also seen through the body

  constructor(entry, reach) {
    this.#entry = entry;
    this.#scale = reach / (entry.weight || 1);
    this.#thick = 0.022 * reach;
    const count = entry.contacts?.links.length ?? 0;
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(2.2, 6.5, 16).rotateX(Math.PI / 2).translate(0, 0, -3.25);
    this.#shafts = new THREE.InstancedMesh(shaft, this.#material, count);
    this.#heads = new THREE.InstancedMesh(head, this.#material, count);
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      this.group.add(mesh);
    }
    this.setTheme();
  }

  setTheme() {
    this.#material.color.set(color("force"));
  }

  setTime(time) {
    const { contacts, frames } = this.#entry;
    if (!contacts || !this.group.visible) return;
    const { frame, blend } = frameAt(this.#entry, time);
    const row = Math.min(frame + (blend > 0.5 ? 1 : 0), frames - 1) * contacts.links.length * 6;
    let shown = 0;
    contacts.links.forEach((_, k) => {
      a.point.fromArray(contacts.values, row + 6 * k);
      a.force.fromArray(contacts.values, row + 6 * k + 3);
      const length = a.force.length() * this.#scale;
      if (!(length > 0.5 * this.#thick)) return;
      a.turn.setFromUnitVectors(up, a.force.normalize());
      a.tip.copy(a.point).addScaledVector(a.force, length);
      const bulk = Math.min(this.#thick, 0.12 * length);
      this.#shafts.setMatrixAt(shown, a.matrix.compose(a.point, a.turn, a.size.set(bulk, bulk, Math.max(length - 6 * bulk, 0.1 * bulk))));
      this.#heads.setMatrixAt(shown, a.matrix.compose(a.tip, a.turn, a.size.setScalar(bulk)));
      ++shown;
    });
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.count = shown;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose() {
    this.#material.dispose();
    for (const mesh of [this.#shafts, this.#heads]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

const a = {
  point: new THREE.Vector3(),
  force: new THREE.Vector3(),
  tip: new THREE.Vector3(),
  size: new THREE.Vector3(),
  turn: new THREE.Quaternion(),
  matrix: new THREE.Matrix4(),
};

// A disc where each foot came down, in the leg's colour; landings still to come are pale.
export class Trackway {
  group = new THREE.Group();
  #entry;
  #discs;
  #material = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.9, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });

  constructor(entry, reach) {
    this.#entry = entry;
    const geometry = new THREE.CircleGeometry(0.048 * reach, 24);
    this.#discs = new THREE.InstancedMesh(geometry, this.#material, entry.tracks.length);
    this.#discs.frustumCulled = false;
    const lift = 0.004 * reach;
    entry.tracks.forEach(({ point, normal }, k) => {
      a.force.fromArray(normal);
      a.turn.setFromUnitVectors(up, a.force);
      a.point.fromArray(point).addScaledVector(a.force, lift);
      this.#discs.setMatrixAt(k, a.matrix.compose(a.point, a.turn, a.size.setScalar(1)));
    });
    this.group.add(this.#discs);
    this.setTheme();
  }

  setTheme() {
    this.legs = legColors(this.#entry.legs).map((css) => new THREE.Color(css));
    this.paper = new THREE.Color(color("ground"));
    this.past = -1;
  }

  setTime(time) {
    const { tracks } = this.#entry;
    if (!tracks.length || !this.group.visible) return;
    const past = tracks.filter((track) => track.time <= time + 1e-9).length;
    if (past === this.past) return;
    this.past = past;
    tracks.forEach(({ leg, time: landed }, k) => {
      const tint = this.legs[leg].clone();
      if (landed > time + 1e-9) tint.lerp(this.paper, 0.72);
      this.#discs.setColorAt(k, tint);
    });
    this.#discs.instanceColor.needsUpdate = true;
  }

  dispose() {
    this.#material.dispose();
    this.#discs.geometry.dispose();
    this.#discs.dispose();
  }
}
