// usage: node mujoco_models.mjs LEGWORK FILE.xml...
// Each MJCF file beside MuJoCo as npm packs it: mass matrix and bias forces at the reference pose and at states
// drawn from a fixed sequence, as the largest difference over the largest value. Meshes that are missing are a
// tetrahedron for MuJoCo, which needs the files: bodies with inertials of their own do not feel it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import load_mujoco from "@mujoco/mujoco";

const [legwork, ...files] = process.argv.slice(2);
if (!files.length) {
  console.error("usage: node mujoco_models.mjs LEGWORK FILE.xml...");
  process.exit(2);
}
const mujoco = await load_mujoco();
const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

function stl() {
  const v = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], f = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
  const data = Buffer.alloc(84 + 50 * f.length);
  data.writeUInt32LE(f.length, 80);
  f.forEach((t, i) => t.forEach((k, j) => v[k].forEach((x, c) => data.writeFloatLE(x, 84 + 50 * i + 12 + 12 * j + 4 * c))));
  return data;
}

function make_folder(target) {
  let at = "";
  for (const part of target.split("/").filter(Boolean)) {
    at += "/" + part;
    try { mujoco.FS.mkdir(at); } catch { /* is there */ }
  }
}

// Every file that the text names, and those that included files name, at the same place in MuJoCo's memory.
function mount(file) {
  const folder = path.dirname(path.resolve(file));
  let missing = 0;
  const put = (name, data) => {
    make_folder(path.dirname(name));
    mujoco.FS.writeFile(name, data);
  };
  const texts = [];
  const read = (name) => {
    const text = fs.readFileSync(name, "utf8");
    put(name, text);
    texts.push(text);
    for (const m of text.matchAll(/<include[^>]*file="([^"]+)"/g)) read(path.resolve(folder, m[1]));
  };
  read(path.resolve(file));
  const all = texts.join("\n");
  const dir = (key) => (all.match(new RegExp(`<compiler[^>]*${key}="([^"]*)"`)) ?? [])[1];
  const meshes = dir("meshdir") ?? dir("assetdir") ?? "", textures = dir("texturedir") ?? dir("assetdir") ?? "";
  for (const m of all.matchAll(/<(mesh|texture|hfield|skin)\b[^>]*?\bfile="([^"]+)"/g)) {
    const name = path.resolve(folder, m[1] === "texture" ? textures : meshes, m[2]);
    if (fs.existsSync(name)) put(name, fs.readFileSync(name));
    else if (m[1] === "mesh") ++missing, put(name, /\.stl$/i.test(name) ? stl() : tetrahedron);
  }
  return missing;
}

// Numbers in [-1, 1), the same in every run.
let seed = 1;
const next = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;

function error(ours, theirs) {
  let difference = 0, size = 1e-300;
  theirs.forEach((x, i) => {
    difference = Math.max(difference, Math.abs(x - ours[i]));
    size = Math.max(size, Math.abs(x));
  });
  return difference / size;
}

let failed = 0;
console.log("| model | nv | mass matrix | bias | passive |\n|---|---|---|---|---|");
for (const file of files) {
  const name = path.basename(file);
  try {
    const missing = mount(file);
    const model = mujoco.MjModel.from_xml_path(path.resolve(file));
    model.opt.disableflags |= 1;  // constraints
    const data = new mujoco.MjData(model);
    const worst = { M: 0, bias: 0, passive: 0 };
    for (let k = 0; k < 4; ++k) {
      const q = Array.from(model.qpos0), v = new Array(model.nv).fill(0);
      if (k > 0) {
        for (let j = 0; j < model.njnt; ++j) {
          const at = model.jnt_qposadr[j], type = model.jnt_type[j];
          if (type === 0) for (let i = 0; i < 3; ++i) q[at + i] += next();
          if (type <= 1) {
            const r = [0, 1, 2, 3].map(next), n = Math.hypot(...r);
            for (let i = 0; i < 4; ++i) q[at + (type === 0 ? 3 : 0) + i] = r[i] / n;
          } else {
            let low = model.jnt_range[2 * j], high = model.jnt_range[2 * j + 1];
            if (!(low < high)) low = -1, high = 1;  // not limited
            q[at] = (low + high) / 2 + (next() * (high - low)) / 2;
          }
        }
        for (let i = 0; i < model.nv; ++i) v[i] = 2 * next();
      }
      data.qpos.set(q), data.qvel.set(v);
      mujoco.mj_forward(model, data);
      const M = new mujoco.DoubleBuffer(model.nv * model.nv);
      mujoco.mj_fullM(model, data, M);
      const said = execFileSync(legwork, ["inspect", file, "--state", "-", "--json", "-"],
        { input: JSON.stringify({ q, v }), maxBuffer: 1 << 28 });
      const ours = JSON.parse(said);
      worst.M = Math.max(worst.M, error((ours.mass_matrix ?? ours.M).flat(), Array.from(M.GetView())));
      worst.bias = Math.max(worst.bias, error(ours.bias, Array.from(data.qfrc_bias)));
      // springs and dampers of joints, inside their ranges: beyond them ours would push back
      if (k > 0) worst.passive = Math.max(worst.passive, error(ours.passive, Array.from(data.qfrc_passive)));
      M.delete();
    }
    const e = (x) => x.toExponential(1);
    console.log(`| ${name} | ${model.nv} | ${e(worst.M)} | ${e(worst.bias)} | ${e(worst.passive)} |` +
      (missing ? ` ${missing} meshes missing` : ""));
    if (!(worst.M < 1e-6 && worst.bias < 1e-6)) ++failed;
    data.delete(), model.delete();
  } catch (problem) {
    ++failed;
    console.log(`| ${name} | | ${String(problem.message ?? problem).split("\n")[0].slice(0, 150)} | | |`);
  }
}
process.exit(failed ? 1 : 0);
