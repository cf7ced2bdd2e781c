// The ground: a plane or the terrain's triangles, with a grid to measure by, fading into the background far out.

import * as THREE from "three";
import { floats, indices } from "./data.js";
import { color } from "./theme.js";

const head = /* glsl */ `
uniform vec3 gridColor;
uniform float gridCell;
uniform vec2 middle;
uniform float fadeRadius;
varying vec3 worldPoint;

// 1 on the lines of a grid, about one pixel wide; nothing where lines would lie closer than a few pixels
float gridLine(vec2 point, float cell, float width) {
  vec2 at = point / cell;
  vec2 pixel = max(fwidth(at), vec2(1e-6));
  vec2 distance = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 line = (1.0 - smoothstep(0.5 * width, 0.5 * width + 0.9, distance)) * (1.0 - smoothstep(0.08, 0.35, pixel));
  return max(line.x, line.y);
}
`;

const paint = /* glsl */ `
{
  float grid = max(0.3 * gridLine(worldPoint.xy, gridCell, 0.5), 0.7 * gridLine(worldPoint.xy, 5.0 * gridCell, 1.0));
  diffuseColor.rgb = mix(diffuseColor.rgb, gridColor, grid);
  diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(worldPoint.xy - middle) / fadeRadius);
}
`;

export class Ground {
  mesh;
  #uniforms = {
    gridColor: { value: new THREE.Color() },
    gridCell: { value: 1 },
    middle: { value: new THREE.Vector2() },
    fadeRadius: { value: 10 },
  };
  #material = new THREE.MeshLambertMaterial({ transparent: true });
  #moves;
  #height;

  constructor({ ground }, radius) {
    this.cell = niceStep(0.5 * radius);
    this.#uniforms.gridCell.value = this.cell;
    this.#uniforms.fadeRadius.value = 9 * radius;
    this.#material.onBeforeCompile = (shader) => this.#addGrid(shader);
    this.#moves = ground.type === "plane";
    this.#height = ground.height ?? 0;
    this.mesh = new THREE.Mesh(this.#moves ? new THREE.CircleGeometry(9 * radius, 48) : triangles(ground), this.#material);
    this.mesh.visible = ground.type !== "none";
    this.mesh.receiveShadow = true;
    this.mesh.castShadow = !this.#moves;
    this.mesh.renderOrder = -1;
    this.setTheme();
  }

  #addGrid(shader) {
    Object.assign(shader.uniforms, this.#uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 worldPoint;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nworldPoint = (modelMatrix * vec4(position, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${head}`)
      .replace("#include <color_fragment>", `#include <color_fragment>\n${paint}`);
  }

  // The plane has no end: it moves along under the creature, while its grid stays.
  moveTo({ x, y }) {
    this.#uniforms.middle.value.set(x, y);
    if (this.#moves) this.mesh.position.set(x, y, this.#height);
  }

  setTheme() {
    this.#material.color.set(color("ground"));
    this.#uniforms.gridColor.value.set(color("grid"));
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.#material.dispose();
  }
}

function triangles(ground) {
  const geometry = new THREE.BufferGeometry();
  if (ground.type !== "mesh") return geometry;
  geometry.setAttribute("position", new THREE.BufferAttribute(floats(ground.vertices), 3));
  geometry.setIndex(new THREE.BufferAttribute(indices(ground.triangles), 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// 1, 2 or 5 times a power of ten, nearest below x.
export function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [5, 2, 1].find((step) => step * power <= x * 1.0001);
}

// "10 cm" for 0.1
export function lengthText(metres) {
  const [scale, unit] = metres >= 1 ? [1, "m"] : metres >= 0.01 ? [100, "cm"] : [1000, "mm"];
  return `${Number((metres * scale).toPrecision(3))} ${unit}`;
}
