// The light on the creature, for the film and for the small pictures beside it.

import * as THREE from "three";
import { isDark } from "./theme.js";

export const fieldOfView = (28 * Math.PI) / 180; // rad, upright
const sunPlace = new THREE.Vector3(0.5, -0.55, 1.6);
export const sunward = sunPlace.clone().normalize();

// What shines on the scene, by theme; the sun stands at `place` times a length.
export function lamps() {
  const dark = isDark();
  return {
    sky: { color: dark ? 0xc3cede : 0xffffff, ground: dark ? 0x2a2c30 : 0xbab6ae, intensity: dark ? 1.5 : 1.75 },
    sun: { color: dark ? 0xfff4e6 : 0xfffbf4, intensity: dark ? 1.9 : 1.75, place: sunPlace },
  };
}

// The same as linear light: [r, g, b] from above, from below and from the sun.
export function lights() {
  const { sky, sun } = lamps();
  const linear = (hex, intensity) => new THREE.Color(hex).toArray().map((x) => x * intensity);
  return { sky: linear(sky.color, sky.intensity), ground: linear(sky.ground, sky.intensity), sun: linear(sun.color, sun.intensity) };
}
