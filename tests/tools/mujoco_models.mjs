// usage: node mujoco_models.mjs LEGWORK FILE.xml|FOLDER...
// Each MJCF file (of a folder: every one with bodies of its own) beside MuJoCo as npm packs it, as a table:
//   mass, bias, passive, equality   forces at the reference pose and at states drawn from a fixed sequence, at rest
//                                   and in motion, as the largest difference over the largest value. Equalities
//                                   are soft in MuJoCo and rigid here: its mass matrix and Jacobian give the force
//                                   that a rigid one needs.
//   fall, swing                     2 s of Runge-Kutta steps of 1/4800 s, without contact, limits, motors, dry
//                                   friction and equalities: falling and turning; hanging by the root, from bent
//                                   joints. Largest difference of a coordinate, rad or m.
// A blank was not compared. MOTIONS=0 leaves the motions out. Meshes that are missing are a tetrahedron for MuJoCo, which needs the files: bodies
// with inertials of their own do not feel it.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import load_mujoco from "@mujoco/mujoco";

const [legwork, ...given] = process.argv.slice(2);
if (!given.length) {
  console.error("usage: node mujoco_models.mjs LEGWORK FILE.xml|FOLDER...");
  process.exit(2);
}
const has_bodies = (file) => {
  const text = fs.readFileSync(file, "utf8");
  return text.includes("<mujoco") && text.includes("<body");
};
const files = given.flatMap((name) => !fs.statSync(name).isDirectory() ? [name] :
  fs.readdirSync(name, { recursive: true }).filter((f) => f.endsWith(".xml")).sort()
    .map((f) => path.join(name, f)).filter(has_bodies));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mujoco_models-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
const head = "| model | nv | mass | bias | passive | equality | fall | swing | |\n|---|---|---|---|---|---|---|---|---|";
// MuJoCo's memory there is limited and never given back: a process for each file.
if (files.length > 1) {
  console.log(head);
  let good = 0;
  for (const file of files) {
    const one = spawnSync(process.execPath, [process.argv[1], legwork, file], { encoding: "utf8" });
    console.log(one.stdout.split("\n")[2] || `| ${file} | | | | | | | | ${one.stderr.split("\n")[0]} |`);
    good += one.status === 0;
  }
  console.log(`\n${good} of ${files.length}: mass and bias within 1e-9, passive and equality forces within 1e-6`);
  process.exit(good === files.length ? 0 : 1);
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

// A file's text with included files in their places.
function whole_text(file, folder = path.dirname(path.resolve(file))) {
  return fs.readFileSync(file, "utf8").replace(/<!--[\s\S]*?-->/g, "").replace(/<include[^>]*file="([^"]+)"[^>]*\/>/g,
    (_, name) => whole_text(path.resolve(folder, name), folder)
      .replace(/<\?xml[^>]*>/, "").replace(/<mujoco(include)?[^>]*>|<\/mujoco(include)?>/g, ""));
}

const setting = (text, key) => (text.match(new RegExp(`<compiler[^>]*\\b${key}="([^"]*)"`)) ?? [])[1];

// The text with meshes and textures by their full names, and those files at the same place in MuJoCo's memory.
function mount(text, folder) {
  const meshes = path.resolve(folder, setting(text, "meshdir") ?? setting(text, "assetdir") ?? "");
  const textures = path.resolve(folder, setting(text, "texturedir") ?? setting(text, "assetdir") ?? "");
  let missing = 0;
  for (const m of text.matchAll(/<(mesh|texture|hfield|skin)\b[^>]*?\bfile="([^"]+)"/g)) {
    const name = path.resolve(m[1] === "texture" ? textures : meshes, m[2]);
    const there = fs.existsSync(name);
    if (!there && m[1] !== "mesh") continue;
    make_folder(path.dirname(name));
    mujoco.FS.writeFile(name, there ? fs.readFileSync(name) : /\.stl$/i.test(name) ? stl() : tetrahedron);
    missing += !there;
  }
  return { missing, text: with_end(text, `<compiler meshdir="${meshes}/" texturedir="${textures}/"/>`) };
}

const with_end = (text, more) => text.replace(/<\/mujoco>\s*$/, more + "</mujoco>");

// The model for MuJoCo and its file for Legwork.
function load(text, name) {
  const file = path.join(scratch, name + ".xml");
  fs.writeFileSync(file, text);
  make_folder(scratch);
  mujoco.FS.writeFile(file, text);
  return { file, model: mujoco.MjModel.from_xml_path(file) };
}

// Numbers in [-1, 1), the same in every run.
let seed = 1;
const next = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;

// Largest difference over the largest value, or over `size` where that is larger.
function error(ours, theirs, size = 1e-300) {
  let difference = 0;
  theirs.forEach((x, i) => {
    difference = Math.max(difference, Math.abs(x - ours[i]));
    size = Math.max(size, Math.abs(x));
  });
  return difference / size;
}

// A state inside the joints' ranges; k = 0: the reference pose.
function draw_position(model, k) {
  const q = Array.from(model.qpos0);
  for (let j = 0; k > 0 && j < model.njnt; ++j) {
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
  return q;
}

// Solves A x = b, symmetric and positive semidefinite; a pivot that has lost nine digits belongs to an equation that
// follows from the others.
function solve_semidefinite(A, b) {
  const n = b.length, done = new Array(n).fill(false), scale = A.map((row, i) => row[i]);
  A = A.map((row) => row.slice()), b = b.slice();
  for (;;) {
    let p = -1;
    for (let i = 0; i < n; ++i) if (!done[i] && (p < 0 || A[i][i] / scale[i] > A[p][p] / scale[p])) p = i;
    if (p < 0 || !(A[p][p] > 1e-9 * scale[p])) break;
    done[p] = true;
    for (let i = 0; i < n; ++i) {
      const f = i === p ? 0 : A[i][p] / A[p][p];
      if (f === 0) continue;
      for (let c = 0; c < n; ++c) A[i][c] -= f * A[p][c];
      b[i] -= f * b[p];
    }
  }
  return b.map((x, i) => (done[i] ? x / A[i][i] : 0));
}

const rows_of = (data, nv) => {
  const J = Array.from(data.efc_J);
  return Array.from({ length: data.nefc }, (_, r) => J.slice(r * nv, (r + 1) * nv));
};
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

// Joint forces of rigid equalities at the present state: J qdd + J' v = 0, with J' v from the Jacobian's change along v.
function rigid_equalities(model, data, M, smooth) {
  const nv = model.nv, v = Array.from(data.qvel), q = Array.from(data.qpos);
  const J = rows_of(data, nv), change = J.map(() => 0), step = 1e-6;
  for (const side of [-1, 1]) {
    data.qpos.set(q);
    mujoco.mj_integratePos(model, data.qpos, v, side * step);
    mujoco.mj_forward(model, data);
    rows_of(data, nv).forEach((row, r) => (change[r] += (side * dot(row, v)) / (2 * step)));
  }
  data.qpos.set(q);
  mujoco.mj_forward(model, data);
  const free = solve_semidefinite(M, smooth), Y = J.map((row) => solve_semidefinite(M, row));
  const A = J.map((row) => Y.map((y) => dot(row, y)));
  const force = solve_semidefinite(A, J.map((row, r) => -dot(row, free) - change[r]));
  return v.map((_, i) => J.reduce((sum, row, r) => sum + row[i] * force[r], 0));
}

// The nearest state that fulfils the equalities, by Newton steps; false where there is none.
function fulfil_equalities(model, data) {
  const nv = model.nv;
  const correction = (residual) => {
    const J = rows_of(data, nv), force = solve_semidefinite(J.map((a) => J.map((b) => dot(a, b))), residual(J));
    return Array.from({ length: nv }, (_, i) => J.reduce((sum, row, r) => sum - row[i] * force[r], 0));
  };
  for (let k = 0; k < 50; ++k) {
    mujoco.mj_forward(model, data);
    mujoco.mj_integratePos(model, data.qpos, correction(() => Array.from(data.efc_pos)), 1);
  }
  mujoco.mj_forward(model, data);
  const v = Array.from(data.qvel), change = correction((J) => J.map((row) => dot(row, v)));
  data.qvel.set(v.map((x, i) => x + change[i]));
  mujoco.mj_forward(model, data);
  return Array.from(data.efc_pos).every((x) => Math.abs(x) < 1e-9);
}

function mass_matrix(model, data) {
  const nv = model.nv, buffer = new mujoco.DoubleBuffer(nv * nv);
  mujoco.mj_fullM(model, data, buffer);
  const flat = Array.from(buffer.GetView());
  buffer.delete();
  return Array.from({ length: nv }, (_, r) => flat.slice(r * nv, (r + 1) * nv));
}

// What Legwork finds at MuJoCo's state, MuJoCo's passive forces acting.
function inspect(file, data) {
  const input = JSON.stringify({ q: Array.from(data.qpos), v: Array.from(data.qvel), tau: Array.from(data.qfrc_passive) });
  return JSON.parse(execFileSync(legwork, ["inspect", file, "--state", "-", "--json", "-"],
    { input, maxBuffer: 1 << 28, stdio: "pipe" }));
}

function compare_forces(file, model) {
  const no_contact = 1 << 4, no_limit = 1 << 3, no_friction = 1 << 2;
  model.opt.disableflags |= no_contact | no_limit | no_friction;
  model.opt.jacobian = 0;  // dense
  const data = new mujoco.MjData(model), nv = model.nv;
  const worst = { M: 0, bias: 0, passive: 0, equality: 0, passives: 0, equalities: 0 };
  const note = (what, mine, theirs, size) => (worst[what] = Math.max(worst[what], error(mine, theirs, size)));
  for (let k = 0; k < 4; ++k) {
    data.qpos.set(draw_position(model, k)), data.qvel.set(Array.from({ length: nv }, () => (k < 2 ? 0 : 2 * next())));
    mujoco.mj_forward(model, data);
    const ours = inspect(file, data);
    note("M", ours.mass_matrix.flat(), mass_matrix(model, data).flat());
    note("bias", ours.bias, Array.from(data.qfrc_bias));
    // inspect reports the forces of joints alone, and beyond their ranges ours push back
    if (k > 0 && !model.ntendon && !model.opt.density && !model.opt.viscosity)
      ++worst.passives, note("passive", ours.passive, Array.from(data.qfrc_passive));
    if (!data.nefc || !fulfil_equalities(model, data)) continue;
    ++worst.equalities;
    const bias = Array.from(data.qfrc_bias), smooth = Array.from(data.qfrc_passive, (x, i) => x - bias[i]);
    note("equality", inspect(file, data).constraint, rigid_equalities(model, data, mass_matrix(model, data), smooth),
      Math.max(...smooth.map(Math.abs)));
  }
  data.delete();
  return worst;
}

const steps_a_frame = 80, timestep = 1 / (60 * steps_a_frame);

// Largest difference of a coordinate over 2 s; what drop records says where both start.
function compare_motion(text, name, spin) {
  const { file, model } = load(text, name);
  const glb = path.join(scratch, name + ".glb"), csv = path.join(scratch, name + ".csv");
  const drop = ["drop", file, "--pose", "start", "--terrain", "none", "--height", "placed", "--integrator", "rk4", "--dt",
    String(timestep), "--seconds", "2", "--out", glb, "--quiet"];
  const free = Array.from(model.jnt_type).includes(0);
  execFileSync(legwork, free && spin ? [...drop, "--spin", spin] : drop, { stdio: "pipe" });
  execFileSync(legwork, ["export", glb, "--out", csv, "--quiet"], { stdio: "pipe" });
  const [head, ...lines] = fs.readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
  const columns = (prefix) => head.flatMap((title, i) => (title.startsWith(prefix) ? [i] : []));
  const Q = columns("q."), V = columns("v.");
  if (Q.length !== model.nq) throw new Error(`${Q.length} coordinates beside MuJoCo's ${model.nq}`);
  model.opt.timestep = timestep, model.opt.integrator = 1;  // Runge-Kutta
  const data = new mujoco.MjData(model);
  data.qpos.set(Q.map((i) => Number(lines[0][i]))), data.qvel.set(V.map((i) => Number(lines[0][i])));
  let worst = 0;
  for (const line of lines.slice(1)) {
    for (let i = 0; i < steps_a_frame; ++i) mujoco.mj_step(model, data);
    Q.forEach((column, i) => (worst = Math.max(worst, Math.abs(Number(line[column]) - data.qpos[i]))));
  }
  data.delete(), model.delete();
  return worst;
}

// Joints bent by a third of the way to their ends, from a sequence of their own; the rest as in the reference pose.
function bent(model) {
  const q = Array.from(model.qpos0);
  seed = 7;
  for (let j = 0; j < model.njnt; ++j) {
    if (model.jnt_type[j] < 2) continue;
    const at = model.jnt_qposadr[j], low = model.jnt_range[2 * j], high = model.jnt_range[2 * j + 1];
    const room = low < high ? Math.min(high - low, 2) : 1;
    q[at] = (low < high ? Math.min(Math.max(q[at], low), high) : q[at]) + (next() * room) / 3;
  }
  return q;
}

function compare_motions(text) {
  const smooth = text.replace(/<keyframe>[\s\S]*?<\/keyframe>/g, "");
  const flags = '<option><flag contact="disable" limit="disable" frictionloss="disable" equality="disable" ' +
    'actuation="disable"/></option>';
  const start = (body) => {
    const { model } = load(body, "pose");
    const q = bent(model).join(" ");
    model.delete();
    return with_end(body, flags + `<keyframe><key name="start" qpos="${q}"/></keyframe>`);
  };
  const hanging = smooth.replace(/<freejoint[^>]*\/>/g, "").replace(/<joint\b[^>]*\btype="free"[^>]*\/>/g, "");
  return { fall: compare_motion(start(smooth), "fall", "1,2,-1.5"), swing: compare_motion(start(hanging), "swing") };
}

let failed = 0;
const said = (problem) => String(problem.stderr?.toString().match(/legwork: .*/)?.[0] ?? problem.message ?? problem)
  .replaceAll(scratch + "/", "").split("\n")[0].slice(0, 160);
const e = (x) => x.toExponential(1);
console.log(head);
for (const file of files) {
  const name = path.join(path.basename(path.dirname(file)), path.basename(file));
  try {
    const { missing, text } = mount(whole_text(file), path.dirname(path.resolve(file)));
    const { file: copy, model } = load(text, "model");
    seed = 1;
    const f = compare_forces(copy, model);
    const motions = { fall: "", swing: "" }, notes = missing ? [`${missing} meshes missing`] : [];
    try {
      if (process.env.MOTIONS !== "0") Object.entries(compare_motions(text)).forEach(([k, x]) => (motions[k] = e(x)));
    } catch (problem) {
      notes.push(said(problem));
    }
    console.log(`| ${name} | ${model.nv} | ${e(f.M)} | ${e(f.bias)} | ${f.passives ? e(f.passive) : ""} | ` +
      `${f.equalities ? e(f.equality) : ""} | ${motions.fall} | ${motions.swing} | ${notes.join("; ")} |`);
    if (!(f.M < 1e-9 && f.bias < 1e-9 && f.passive < 1e-6 && f.equality < 1e-6)) ++failed;
    model.delete();
  } catch (problem) {
    ++failed;
    console.log(`| ${name} | | | | | | | | ${said(problem)} |`);
  }
}
process.exit(failed ? 1 : 0);
