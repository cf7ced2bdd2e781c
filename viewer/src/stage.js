// The 3D view. Draws only when something changed, so that a paused page costs nothing.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Body } from "./body.js";
import { Ground } from "./ground.js";
import { Forces, Trackway } from "./overlays.js";
import { fieldOfView, lamps } from "./light.js";
import { Path, view } from "./path.js";

// Everything drawn for one motion.
class Scenery {
  constructor(entry) {
    this.path = new Path(entry);
    const { radius } = this.path;
    this.body = new Body(entry);
    this.ground = new Ground(entry, radius);
    this.forces = new Forces(entry, 1.1 * radius);
    this.trackway = new Trackway(entry, radius);
    this.group = new THREE.Group().add(this.body.group, this.ground.mesh, this.forces.group, this.trackway.group);
  }

  setTime(time) {
    for (const part of [this.body, this.forces, this.trackway]) part.setTime(time);
  }

  setTheme() {
    for (const part of [this.ground, this.forces, this.trackway]) part.setTheme();
  }

  dispose() {
    for (const part of [this.body, this.ground, this.forces, this.trackway]) part.dispose();
  }
}

export class Stage {
  following = true;
  show = { forces: false, trackway: true };
  #renderer;
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera((180 / Math.PI) * fieldOfView, 16 / 9, 0.01, 1000);
  #controls;
  #sky = new THREE.HemisphereLight(0xffffff, 0xffffff, 1);
  #sun = new THREE.DirectionalLight(0xffffff, 1);
  #set = null;
  #time = 0;
  #centre = new THREE.Vector3();
  #pending = false;
  #untouched = true; // nobody has turned the camera since it was set
  #box;

  // Null where the browser has no WebGL; asked before three.js, which would write errors to the console.
  static open(box) {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { antialias: true, alpha: true, powerPreference: "high-performance" });
    return context ? new Stage(box, canvas, context) : null;
  }

  constructor(box, canvas, context) {
    this.#box = box;
    this.#renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.#renderer.setClearColor(0, 0);
    this.#renderer.debug.checkShaderErrors = false; // asking would wait for each shader in turn
    this.#renderer.shadowMap.enabled = true;
    this.#camera.up.set(0, 0, 1);
    this.#sun.castShadow = true;
    this.#sun.shadow.mapSize.set(1024, 1024);
    this.#sun.shadow.radius = 4;
    this.#scene.add(this.#sky, this.#sun, this.#sun.target);
    box.prepend(canvas);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.maxPolarAngle = 0.98 * Math.PI;
    this.#controls.zoomSpeed = 0.7;
    this.#controls.listenToKeyEvents = () => {}; // arrows are for the film
    this.#controls.addEventListener("change", () => this.invalidate());
    this.#controls.addEventListener("start", () => (this.#untouched = false));
    canvas.addEventListener("dblclick", () => this.resetCamera());
    new ResizeObserver(() => this.#resize()).observe(box);
    this.setTheme();
    this.#resize();
  }

  open(entry) {
    if (this.#set) {
      this.#scene.remove(this.#set.group);
      this.#set.dispose();
    }
    this.#set = new Scenery(entry);
    this.#scene.add(this.#set.group);
    this.#time = entry.start;
    this.resetCamera();
    this.setTime(entry.start);
  }

  get gridCell() {
    return this.#set.ground.cell;
  }

  setTime(time) {
    this.#time = time;
    if (this.#set) this.#place(this.#set, time, this.following);
    this.invalidate();
  }

  setShown(what, shown) {
    this.show[what] = shown;
    this.setTime(this.#time);
  }

  setFollowing(following) {
    this.following = following;
    this.setTime(this.#time);
  }

  resetCamera() {
    this.#untouched = true;
    this.#set.path.at(this.#time, this.#centre);
    this.#frame(this.#set, 0.62);
    this.#controls.update();
    this.invalidate();
  }

  setTheme() {
    const { sky, sun } = lamps();
    this.#sky.color.set(sky.color);
    this.#sky.groundColor.set(sky.ground);
    this.#sky.intensity = sky.intensity;
    this.#sun.color.set(sun.color);
    this.#sun.intensity = sun.intensity;
    this.#set?.setTheme();
    if (this.#set) this.setTime(this.#time);
  }

  invalidate() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => this.#pending && this.#render());
  }

  // The view as it is now, for print.
  snapshot() {
    this.#render();
    return this.#renderer.domElement.toDataURL("image/png");
  }

  #render() {
    this.#pending = false;
    if (this.#set) this.#renderer.render(this.#scene, this.#camera);
  }

  // Creature, light and camera at a time. The camera moves by as much as the creature does, so a view turned by hand stays.
  #place(set, time, follow) {
    set.forces.group.visible = this.show.forces;
    set.trackway.group.visible = this.show.trackway;
    set.setTime(time);
    const before = this.#centre.clone();
    set.path.at(time, this.#centre);
    if (follow) {
      const step = this.#centre.clone().sub(before);
      this.#camera.position.add(step);
      this.#controls.target.add(step);
    }
    set.ground.moveTo(this.#centre);
    this.#shine(set.path.radius);
    if (follow) this.#controls.update();
  }

  #shine(radius) {
    this.#sun.target.position.copy(this.#centre);
    this.#sun.position.copy(this.#centre).addScaledVector(lamps().sun.place, 3 * radius);
    const { camera } = this.#sun.shadow;
    const half = 1.7 * radius;
    if (camera.right === half) return;
    Object.assign(camera, { left: -half, right: half, bottom: -half, top: half, near: 0.1 * radius, far: 9 * radius });
    camera.updateProjectionMatrix();
    this.#sun.shadow.normalBias = 0.02 * radius;
    this.#sun.shadow.bias = -0.0008;
  }

  // Looks from `view` at the creature about #centre so that it fills a share of the picture.
  #frame({ path }, share) {
    const { radius } = path;
    const { middle, distance } = path.framing(share, this.#camera.aspect, fieldOfView);
    this.#controls.target.copy(this.#centre).add(middle);
    this.#camera.position.copy(this.#controls.target).addScaledVector(view, distance);
    this.#camera.near = 0.02 * radius;
    this.#camera.far = distance + 60 * radius;
    this.#camera.lookAt(this.#controls.target);
    this.#camera.updateProjectionMatrix();
    this.#controls.minDistance = 0.4 * radius;
    this.#controls.maxDistance = 25 * radius;
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#box;
    if (!width || !height) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    if (this.#set && this.#untouched) this.resetCamera();
    this.#render();
  }
}
