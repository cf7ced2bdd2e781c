// usage: node mujoco_models.mjs LEGWORK FILE.xml|FILE.urdf|FOLDER|LIST...
// Each MJCF and URDF file (of a folder: every one with bodies of its own; of a list, *.txt: one file a line, beside the
// list or in the folder MODELS) beside MuJoCo as npm packs it, as a table:
//   mass, bias, passive, friction, equality
//                 forces at the reference pose and at states drawn from a fixed sequence, at rest and in motion, as
//                 the largest difference over the largest value. Joints in motion feel MuJoCo's friction, made as
//                 stiff as it can be; at rest its mass matrix and forces say what rigid friction has to hold. So
//                 they do of equalities, which are soft there as well.
//   fall, swing   2 s of Runge-Kutta steps of 1/4800 s, without contact, limits, motors, dry friction and
//                 equalities: falling and turning; hanging by the root, from bent joints. Largest difference of a
//                 coordinate, rad or m, over the largest value where that is above 1; good below 1e-6. Motions that
//                 come apart by themselves are good below what MuJoCo makes of a start that differs by 1e-10, if
//                 mass, bias and passive forces agree as above at ten states along MuJoCo's motion; both are then told.
//   A motion in which some coordinate becomes faster than 1e4 a second, as where a pose leaves a joint no direction, is
//   compared while all are slower than 1e3, if MuJoCo's becomes as fast within two frames; it is told.
//   Where meshes weigh, MuJoCo leaves principal axes turned by up to 1.4e-6 rad. A file that differs for it is compared
//   again with Legwork's inertias in MuJoCo's model, if those of all bodies are nearly the same; both are told.
//   What MuJoCo refuses although it is clear is put right for it, and told: global coordinates (by Debian's MuJoCo, which
//   writes local ones), Bullet's fixed joints and vectors of too many numbers, inertials that do not count; in URDF links
//   without mass, which weigh 1 g in both then.
// A blank was not compared. MOTIONS=0 leaves the motions out. MuJoCo needs the files of meshes: where they weigh
// nothing (bodies with inertials of their own) a tetrahedron stands for each. Of URDF, where inertia is given always,
// MuJoCo and Legwork read the same text without shapes, ranges and motors, on a floating joint where Legwork lets the
// root move.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import load_mujoco from "@mujoco/mujoco";

const [legwork, ...given] = process.argv.slice(2);
if (!given.length) {
  console.error("usage: node mujoco_models.mjs LEGWORK FILE.xml|FILE.urdf|FOLDER|LIST...");
  process.exit(2);
}
const is_body = (file) => /\.(xml|urdf)$/.test(file);
const is_urdf = (text) => /<robot\b/.test(text);
const has_bodies = (file) => {
  const text = fs.readFileSync(file, "utf8");
  return is_urdf(text) || (text.includes("<mujoco") && text.includes("<body"));
};
const files_of = (name) => {
  if (name.endsWith(".txt"))
    return fs.readFileSync(name, "utf8").split("\n").filter(is_body)
      .map((f) => path.resolve(process.env.MODELS ?? path.dirname(name), f));
  if (!fs.statSync(name).isDirectory()) return [name];
  return fs.readdirSync(name, { recursive: true }).filter(is_body).sort()
    .map((f) => path.join(name, f)).filter(has_bodies);
};
const files = given.flatMap(files_of);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mujoco_models-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
// How a file ends, also as exit code where it is the only one.
const good = 0, differs = 1, not_theirs = 2, not_ours = 3;
const head = "| model | nv | mass | bias | passive | friction | equality | fall | swing | |\n|---|---|---|---|---|---|---|---|---|---|";
// MuJoCo's memory there is limited and never given back: a process for each file.
if (files.length > 1) {
  console.log(head);
  const ends = [0, 0, 0, 0];
  for (const file of files) {
    const one = spawnSync(process.execPath, [process.argv[1], legwork, file], { encoding: "utf8" });
    console.log(one.stdout.split("\n")[2] || `| ${file} | | | | | | | | | ${one.stderr.split("\n")[0]} |`);
    ++ends[one.status in ends ? one.status : differs];
  }
  console.log(`\n${ends[good]} of ${files.length}: mass and bias within 1e-9, passive, friction and equality forces within ` +
    `1e-6, and the motions; ${ends[differs]} differ, MuJoCo refuses ${ends[not_theirs]}, Legwork ${ends[not_ours]}`);
  process.exit(ends[differs] ? 1 : 0);
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

// A file's text with included files in their places: beside the main file, or beside the one that includes them.
function whole_text(file, folder = path.dirname(path.resolve(file))) {
  const seek = (name) => [folder, path.dirname(path.resolve(file))].map((f) => path.resolve(f, name)).find((f) => fs.existsSync(f));
  return fs.readFileSync(file, "utf8").replace(/<!--[\s\S]*?-->/g, "").replace(/<include[^>]*file="([^"]+)"[^>]*\/>/g,
    (_, name) => whole_text(seek(name), folder)
      .replace(/<\?xml[^>]*>/, "").replace(/<mujoco(include)?\b[^>]*>|<\/mujoco(include)?>/g, ""));
}

// Without what is only seen, and without sizes of memory.
const bare = (text) => text
  .replace(/<(texture|material|skin|size)\b[^>]*?(\/>|>[\s\S]*?<\/\1>)/g, "")
  .replace(/\s(material|texture)="[^"]*"/g, "");

const setting = (text, key) => (text.match(new RegExp(`<compiler[^>]*\\b${key}="([^"]*)"`)) ?? [])[1];

// The text with meshes by their full names, and those files at the same place in MuJoCo's memory.
function mount(text, folder) {
  const meshes = path.resolve(folder, setting(text, "meshdir") ?? setting(text, "assetdir") ?? "");
  const nowhere = with_end(text, `<compiler meshdir="${scratch}/nowhere/"/>`);
  const weigh = text.includes("<mesh") && !loads(nowhere);
  let missing = 0;
  for (const m of text.matchAll(/<(mesh|hfield)\b[^>]*?\bfile="([^"]+)"/g)) {
    const name = path.resolve(meshes, m[2]), there = fs.existsSync(name);
    if (!there && m[1] !== "mesh") continue;
    make_folder(path.dirname(name));
    mujoco.FS.writeFile(name, weigh && there ? fs.readFileSync(name) : /\.stl$/i.test(name) ? stl() : tetrahedron);
    missing += weigh && !there;
  }
  return { missing, weigh, text: with_end(text, `<compiler meshdir="${meshes}/"/>`) };
}

// Whether Legwork takes a body.
function loads(text) {
  const file = path.join(scratch, "loads.xml");
  fs.writeFileSync(file, text);
  return spawnSync(legwork, ["check", file, "--quiet"]).status === 0;
}

const with_end = (text, more) => text.replace(/(<\/mujoco>(<\/robot>)?)\s*$/, more + "$1");

// Whether MuJoCo takes an inertia: positive, and no principal moment above the sum of the others.
function is_solid([xx, yy, zz, xy, xz, yz]) {
  const positive = (a, b, c, d, e, f, least) => a > least && a * b - d * d > least * a &&
    a * b * c + 2 * d * e * f - a * f * f - b * e * e - c * d * d > least * a * b;
  const half = (xx + yy + zz) / 2;
  return positive(xx, yy, zz, xy, xz, yz, 1e-13) &&
    positive(half - xx, half - yy, half - zz, -xy, -xz, -yz, -1e-13 * half);
}

// A URDF file's text as both read it; for inertias that MuJoCo refuses a ball's in both.
function plain_urdf(file, notes) {
  const number = (text, name) => Number((text.match(new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)`)) ?? [0, 0])[1]);
  let replaced = 0;
  const solid = (inertial) => {
    const mass = number(inertial, "value"), I = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map((k) => number(inertial, k));
    if (is_solid(I) || (mass === 0 && I.every((x) => x === 0))) return inertial;
    if (mass === 0) return ++replaced, "";
    const ball = Math.max((I[0] + I[1] + I[2]) / 3, 1e-3 * mass, 1e-12);
    ++replaced;
    return inertial.replace(/<inertia\b[^>]*>/, `<inertia ixx="${ball}" iyy="${ball}" izz="${ball}" ixy="0" ixz="0" iyz="0"/>`)
      .replace(/<\/inertia>/, "");
  };
  const bodies = fs.readFileSync(file, "utf8").replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<inertial\b[\s\S]*?<\/inertial>/g, solid)
    .replace(/<(visual|collision|gazebo|transmission|mujoco)\b[^>]*?(\/>|>[\s\S]*?<\/\1>)/g, "")
    .replace(/\s(lower|upper|effort)\s*=\s*("[^"]*"|'[^']*')/g, ' $1="0"');
  const text = bodies.replace(/\b(xyz|rpy)\s*=\s*"\s*((?:\S+\s+){2}[^\s"]+)\s+[^\s"][^"]*"/g, '$1="$2"')
    .replace(/<joint\b[\s\S]*?<\/joint>/g, (joint) => joint.replace(/(<axis\b[^>]*\/>)([\s\S]*?)<axis\b[^>]*\/>/g, "$1$2"));
  const names = (pattern) => Array.from(text.matchAll(pattern), (m) => m[2]);
  if (replaced) notes.push(`${replaced} inertias replaced`);
  if (text !== bodies) notes.push("vectors and axes too many left out");
  const children = new Set(names(/<child\s+link\s*=\s*(["'])(.*?)\1/g));
  const root = names(/<link\s+name\s*=\s*(["'])(.*?)\1/g).find((name) => !children.has(name));
  const first = JSON.parse(execFileSync(legwork, ["inspect", file, "--json", "-"], { maxBuffer: 1 << 28, stdio: "pipe" })).dofs[0];
  const base = root !== "world" && first?.endsWith(".tx")
    ? `<link name="world"/><joint name="${base_joint}" type="floating"><parent link="world"/><child link="${root}"/></joint>` : "";
  return text.replace(/<\/robot>[\s\S]*$/, base +
    '<mujoco><compiler fusestatic="false" inertiafromgeom="false"/></mujoco></robot>');
}

// The same with 1 g in every link that weighs nothing.
const weighted_urdf = (text, notes) => {
  let n = 0;
  const least = '<inertial><mass value="1e-3"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6" ixy="0" ixz="0" iyz="0"/></inertial>';
  const out = text.replace(/<link\b([^>]*?)(\/>|>([\s\S]*?)<\/link>)/g, (link, head, _, inside = "") => {
    const mass = inside.match(/<mass\b[^>]*\bvalue\s*=\s*["']([^"']*)/);
    if (mass && Number(mass[1]) > 0) return link;
    ++n;
    return `<link${head}>${least}</link>`;
  });
  notes.push(`${n} links given 1 g`);
  return out;
};
const base_joint = "base_of_mujoco_models";

// An MJCF text as MuJoCo takes it.
function mended(text, file) {
  let out = text.replace(/<joint\b[^>]*\btype="fixed"[^>]*\/>/g, "");
  if (/inertiafromgeom="true"/.test(text)) out = out.replace(/<inertial\b(?![^>]*\bpos=)[^>]*\/>/g, "");
  if (setting(text, "coordinate") !== "global") return out;
  const [given, local] = [".global.xml", ".local.xml"].map((end) => file.replace(/\.xml$/, end));
  fs.writeFileSync(given, out);
  execFileSync("python3", [path.join(import.meta.dirname, "mujoco_local.py"), given, local], { stdio: "pipe" });
  return fs.readFileSync(local, "utf8");
}

// The model for MuJoCo and its file for Legwork.
function load(text, name) {
  const file = path.join(scratch, name + ".xml");
  fs.writeFileSync(file, text);
  make_folder(scratch);
  try {
    const theirs = is_urdf(text) ? text : mended(text, file);
    mujoco.FS.writeFile(file, theirs);
    put_right ||= theirs !== text;
    const model = mujoco.MjModel.from_xml_path(file);
    if (inertias_of_legwork) share_inertias(file, model);
    return { file, model };
  } catch (problem) {
    problem.end = not_theirs;
    throw problem;
  }
}

// Inertia about the centre of mass in the body's axes.
function tensor(model, body) {
  const [w, x, y, z] = model.body_iquat.slice(4 * body, 4 * body + 4), moments = model.body_inertia.slice(3 * body, 3 * body + 3);
  const R = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]];
  return R.flatMap((a) => R.map((b) => a.reduce((sum, _, k) => sum + a[k] * moments[k] * b[k], 0)));
}

let put_right = false;  // some text, for MuJoCo

// Whether inertias are Legwork's, and how far MuJoCo's own were from them.
let inertias_of_legwork = false, inertias_apart = 0;

function share_inertias(file, model) {
  const out = file.replace(/xml$/, "inertias.xml");
  execFileSync(legwork, ["export", file, "--out", out, "--quiet"], { stdio: "pipe" });
  mujoco.FS.writeFile(out, fs.readFileSync(out, "utf8").replace(/<geom\b[^>]*>/g, "")
    .replace(/<(asset|tendon|equality|actuator|sensor|contact|keyframe)>[\s\S]*?<\/\1>/g, ""));
  const ours = mujoco.MjModel.from_xml_path(out);
  if (ours.nbody !== model.nbody) throw new Error(`${ours.nbody} bodies beside MuJoCo's ${model.nbody}`);
  for (let b = 1; b < model.nbody; ++b) {
    const place = (m) => m.body_ipos.slice(3 * b, 3 * b + 3), I = tensor(ours, b), length = Math.sqrt(I[0] / ours.body_mass[b]);
    const apart = error(tensor(model, b), I);
    if (!(error([model.body_mass[b]], [ours.body_mass[b]]) < 1e-12 && error(place(model), place(ours), length) < 1e-12 && apart < 3e-6))
      throw new Error(`body ${b} weighs ${ours.body_mass[b]}, in MuJoCo ${model.body_mass[b]}, inertias ${e(apart)} apart`);
    inertias_apart = Math.max(inertias_apart, apart);
  }
  for (const what of ["body_inertia", "body_iquat"]) model[what].set(ours[what]);
  ours.delete();
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
// follows from the others, and so does one that is nothing beside `share` of the largest.
function solve_semidefinite(A, b, share = 0) {
  const n = b.length, done = new Array(n).fill(false), most = Math.max(...A.map((row, i) => row[i]));
  const scale = A.map((row, i) => Math.max(row[i], share * most));
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
  const force = solve_semidefinite(A, J.map((row, r) => -dot(row, free) - change[r]), 1e-3);
  return v.map((_, i) => J.reduce((sum, row, r) => sum + row[i] * force[r], 0));
}

// The nearest state that fulfils the equalities, by Newton steps; false where there is none.
function fulfil_equalities(model, data) {
  const nv = model.nv;
  const correction = (residual) => {
    const J = rows_of(data, nv), force = solve_semidefinite(J.map((a) => J.map((b) => dot(a, b))), residual(J), 1e-3);
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
  return Array.from(data.efc_pos).every((x) => Math.abs(x) < 1e-7);
}

function mass_matrix(model, data) {
  const nv = model.nv, buffer = new mujoco.DoubleBuffer(nv * nv);
  mujoco.mj_fullM(model, data, buffer);
  const flat = Array.from(buffer.GetView());
  buffer.delete();
  return Array.from({ length: nv }, (_, r) => flat.slice(r * nv, (r + 1) * nv));
}

// What Legwork finds at MuJoCo's state.
function inspect(file, data, tau = []) {
  const input = JSON.stringify({ q: Array.from(data.qpos), v: Array.from(data.qvel), ...(tau.length ? { tau } : {}) });
  return JSON.parse(execFileSync(legwork, ["inspect", file, "--state", "-", "--json", "-"],
    { input, maxBuffer: 1 << 28, stdio: "pipe" }));
}

// States in turn: the reference pose at rest, another at rest, two in motion.
function* states(model, data) {
  for (let k = 0; k < 4; ++k) {
    const speed = () => { const x = 2 * next(); return k < 2 ? 0 : x + Math.sign(x); };
    data.qpos.set(draw_position(model, k)), data.qvel.set(Array.from({ length: model.nv }, speed));
    mujoco.mj_forward(model, data);
    yield k;
  }
}

const off = (...flags) => `<option><flag ${flags.map((f) => f + '="disable"').join(" ")}/></option>`;
const minus = (a, b) => Array.from(a, (x, i) => x - b[i]);
const size_of = (x) => Math.max(...Array.from(x, Math.abs));

function compare_forces(text, worst) {
  const { file, model } = load(with_end(text, off("contact", "limit", "actuation", "frictionloss")), "model");
  model.opt.jacobian = 0;  // dense
  const data = new mujoco.MjData(model);
  const note = (what, mine, theirs, size) => (worst[what] = Math.max(worst[what] ?? 0, error(mine, theirs, size)));
  for (const k of states(model, data)) {
    const ours = inspect(file, data);
    note("mass", ours.mass_matrix.flat(), mass_matrix(model, data).flat());
    note("bias", ours.bias, Array.from(data.qfrc_bias));
    note("passive", ours.passive, Array.from(data.qfrc_passive), 1e-9);
    if (!data.nefc) continue;
    if (!fulfil_equalities(model, data)) {  // out of reach: nearer to the reference pose
      data.qpos.set(model.qpos0), data.qvel.set(Array.from({ length: model.nv }, () => (k < 2 ? 0 : next())));
      if (!fulfil_equalities(model, data)) throw new Error("its equalities cannot be fulfilled");
    }
    const smooth = minus(data.qfrc_passive, data.qfrc_bias);
    note("equality", inspect(file, data, Array.from(data.qfrc_passive)).constraint,
      rigid_equalities(model, data, mass_matrix(model, data), smooth), size_of(smooth));
  }
  worst.nv = model.nv;
  data.delete(), model.delete();
}

// Forces within +-most that leave joints at rest, or as nearly as they can: the least of f A f / 2 + f a.
function hold(A, a, most) {
  const f = a.map(() => 0);
  for (let round = 0; round < 100000; ++round) {
    let change = 0;
    for (let i = 0; i < f.length; ++i) {
      const before = f[i], x = before - (dot(A[i], f) + a[i]) / A[i][i];
      f[i] = Math.min(Math.max(x, -most[i]), most[i]);
      change = Math.max(change, Math.abs(f[i] - before) / most[i]);
    }
    if (change < 1e-13) break;
  }
  return f;
}

// A body that hangs by its root, where that was free; without keyframes, which would no longer fit.
const without_keys = (text) => text.replace(/<keyframe>[\s\S]*?<\/keyframe>/g, "");
const hanging = (text) => without_keys(text).replace(/<freejoint[^>]*\/>/g, "")
  .replace(/<joint\b[^>]*\btype="free"[^>]*\/>/g, "").replace(`"${base_joint}" type="floating"`, `"${base_joint}" type="fixed"`);

const without_mimics = (text) => (is_urdf(text) ? text.replace(/<mimic\b[^>]*?(\/>|>\s*<\/mimic>)/g, "") : text);

// Of a body that hangs, so that joints at rest have something to hold.
function compare_friction(text, worst) {
  const flags = off("contact", "limit", "actuation", "equality", "refsafe");
  const { file, model } = load(with_end(hanging(without_mimics(text)), flags), "friction");
  if (size_of([0, ...model.dof_frictionloss]) > 0) {
    for (let i = 0; i < model.nv; ++i) model.dof_solref.set([1e-6, 1], 2 * i), model.dof_solimp.set([0.9999, 0.9999], 5 * i);
    const data = new mujoco.MjData(model), most = Array.from(model.dof_frictionloss);
    for (const k of states(model, data)) {
      let theirs = Array.from(data.qfrc_constraint);
      if (k < 2) {
        const at = most.flatMap((x, i) => (x > 0 ? [i] : [])), M = mass_matrix(model, data);
        const Y = at.map((i) => solve_semidefinite(M, most.map((_, c) => (c === i ? 1 : 0))));
        const free = solve_semidefinite(M, minus(data.qfrc_passive, data.qfrc_bias));
        const held = hold(Y.map((y) => at.map((c) => y[c])), at.map((i) => free[i]), at.map((i) => most[i]));
        theirs = most.map(() => 0), at.forEach((i, c) => (theirs[i] = held[c]));
      }
      worst.friction = Math.max(worst.friction ?? 0, error(inspect(file, data).friction, theirs, size_of(most)));
    }
    data.delete();
  }
  model.delete();
}

// How far coordinates come apart within 2 s; what drop records says where both start. Light limbs with strong
// dampers need shorter steps.
function compare_motion(text, name, spin, steps_a_frame = 80) {
  const { file, model } = load(text, name), timestep = 1 / (60 * steps_a_frame);
  if (model.nv === 0) {
    model.delete();
    return { good: true };
  }
  const glb = path.join(scratch, name + ".glb"), csv = path.join(scratch, name + ".csv");
  const drop = ["drop", is_urdf(text) ? posed_urdf(file, model) : file, "--pose", "start", "--terrain", "none", "--height", "placed", "--integrator", "rk4", "--dt",
    String(timestep), "--seconds", "2", "--out", glb];
  const free = Array.from(model.jnt_type).includes(0);
  const fell = spawnSync(legwork, free && spin ? [...drop, "--spin", spin] : drop, { encoding: "utf8" });
  const runaway = (fell.status === 3 && fell.stdout.match(/diverged at .* is faster than 1e\+04/)?.[0]) || "";
  if (fell.status !== 0 && (!runaway || steps_a_frame < 1280)) {
    model.delete();
    if (fell.status === 3 && steps_a_frame < 1280) return compare_motion(text, name, spin, 4 * steps_a_frame);
    throw new Error(`drop: ${fell.stderr}${fell.stdout.match(/status: .*/)?.[0] ?? ""}`);
  }
  execFileSync(legwork, ["export", glb, "--out", csv, "--quiet"], { stdio: "pipe" });
  const [head, ...lines] = fs.readFileSync(csv, "utf8").trim().split("\n").map((line) => line.split(","));
  const columns = (prefix) => head.flatMap((title, i) => (title.startsWith(prefix) ? [i] : []));
  const Q = columns("q."), V = columns("v.");
  if (Q.length !== model.nq) throw new Error(`${Q.length} coordinates beside MuJoCo's ${model.nq}`);
  model.opt.timestep = timestep, model.opt.integrator = 1;  // Runge-Kutta
  let fastest = 0;  // in the two frames after the last
  const play = (push, speeds) => {
    const data = new mujoco.MjData(model), frames = [];
    data.qpos.set(Q.map((i) => Number(lines[0][i]))), data.qvel.set(V.map((i) => Number(lines[0][i]) + push));
    for (const _ of lines.slice(1)) {
      for (let i = 0; i < steps_a_frame; ++i) mujoco.mj_step(model, data);
      frames.push(Array.from(data.qpos));
      speeds?.push(Array.from(data.qvel));
    }
    for (let i = 0; speeds && runaway && i < 2 * steps_a_frame && !(fastest > 1e4); ++i)
      mujoco.mj_step(model, data), fastest = size_of(data.qvel);
    data.delete();
    return frames;
  };
  const path_speeds = [], theirs = play(0, path_speeds);
  const size = Math.max(1, ...theirs.map(size_of));
  const slow = runaway ? path_speeds.findIndex((v) => size_of(v) > 1e3) : -1;
  const compared = slow < 0 ? theirs.length : slow;
  const distances = (frames) => frames.slice(0, compared).map((q, t) => size_of(minus(q, theirs[t])) / size);
  const ours = distances(lines.slice(1).map((line) => Q.map((column) => Number(line[column]))));
  const own = Math.max(...ours) < 1e-6 ? [1e-6] : distances(play(1e-10));
  const worst = Math.max(...ours), bound = Math.max(...own);
  const agrees = (apart) => (apart.findIndex((x) => x > 1e-6) / 60).toFixed(2);  // s
  // both integrators' own errors fade with the step
  if (worst > bound && steps_a_frame < 1280) {
    model.delete();
    return compare_motion(text, name, spin, 4 * steps_a_frame);
  }
  const along = bound > 1e-6 ? forces_along(file, model, theirs, path_speeds) : {};
  model.delete();
  if (runaway && !(fastest > 1e4)) throw new Error(`drop ${runaway}; MuJoCo is not`);
  const chaos = bound > 1e-6 && `within 1e-6 for ${agrees(ours)} s at ${60 * steps_a_frame} steps a second; MuJoCo's own from ` +
    `speeds 1e-10 apart for ${agrees(own)} s, then up to ${e(bound)}; along its path ` +
    Object.entries(along).map(([what, x]) => `${what} ${e(x)}`).join(", ");
  return { worst, told: [chaos, runaway && `${runaway}, and so is MuJoCo's`].filter(Boolean).join("; "), good: worst <= bound && Object.entries(along).every(([what, x]) => x <= bounds[what]) };
}

// Differences of forces at ten states of a motion: where they are the same all along, its end says how it amplifies
// rounding, not what drives it.
function forces_along(file, model, positions, speeds) {
  const data = new mujoco.MjData(model), worst = { mass: 0, bias: 0, passive: 0 };
  for (let k = 1; k <= 10; ++k) {
    const frame = Math.floor((positions.length * k) / 10) - 1;
    data.qpos.set(positions[frame]), data.qvel.set(speeds[frame]);
    mujoco.mj_forward(model, data);
    const ours = inspect(file, data);
    worst.mass = Math.max(worst.mass, error(ours.mass_matrix.flat(), mass_matrix(model, data).flat()));
    worst.bias = Math.max(worst.bias, error(ours.bias, Array.from(data.qfrc_bias)));
    worst.passive = Math.max(worst.passive, error(ours.passive, Array.from(data.qfrc_passive), 1e-9));
  }
  data.delete();
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

// A file beside a URDF file that adds the pose start.
function posed_urdf(file, model) {
  const q = bent(model), joints = [];
  for (let j = 0; j < model.njnt; ++j)
    if (model.jnt_type[j] >= 2) joints.push(`"${mujoco.mj_id2name(model, 3, j)}" = ${q[model.jnt_qposadr[j]]}`);
  const posed = file.replace(/xml$/, "toml");
  fs.writeFileSync(posed, `base = "${path.basename(file)}"\nangles = "rad"\n[[pose]]\nname = "start"\njoints = { ${joints.join(", ")} }\n`);
  return posed;
}

function compare_motions(text) {
  const start = (body) => {
    if (is_urdf(body))  // neither friction nor mimics
      return without_mimics(body).replace(/\sfriction\s*=\s*("[^"]*"|'[^']*')/g, "");
    const { model } = load(body, "pose");
    const q = bent(model).join(" ");
    model.delete();
    return with_end(body, off("contact", "limit", "frictionloss", "equality", "actuation") +
      `<keyframe><key name="start" qpos="${q}"/></keyframe>`);
  };
  return { fall: compare_motion(start(without_keys(text)), "fall", "1,2,-1.5"),
    swing: compare_motion(start(hanging(text)), "swing") };
}

const bounds = { mass: 1e-9, bias: 1e-9, passive: 1e-6, friction: 1e-6, equality: 1e-6 };
const said = (problem) => String(problem.stderr?.toString().match(/legwork: .*/)?.[0] ??
  problem.stdout?.toString().match(/status: .*/)?.[0] ?? problem.message ?? problem)
  .replaceAll(scratch + "/", "").split("\n")[0].slice(0, 160);
const e = (x) => (x === undefined ? "" : x.toExponential(1));
let end = good;
console.log(head);
for (const file of files) {
  const name = path.join(path.basename(path.dirname(file)), path.basename(file)), worst = {}, motions = {}, notes = [];
  let outcome = good;
  try {
    const first = spawnSync(legwork, ["check", file, "--quiet"], { encoding: "utf8" });
    if (first.status !== 0) throw Object.assign(new Error(first.stderr), { end: not_ours });
    let { missing, weigh, text } = is_urdf(fs.readFileSync(file, "utf8")) ? { missing: 0, text: plain_urdf(file, notes) }
      : mount(bare(whole_text(file)), path.dirname(path.resolve(file)));
    if (missing) notes.push(`${missing} meshes missing`);
    const compare = () => {
      seed = 1;
      compare_forces(text, worst), compare_friction(text, worst);
      if (process.env.MOTIONS !== "0") Object.assign(motions, compare_motions(text));
      return Object.entries(bounds).every(([k, most]) => (worst[k] ?? 0) <= most) && Object.values(motions).every((m) => m.good);
    };
    let agrees;
    try {
      agrees = compare();
    } catch (problem) {
      if (!is_urdf(text) || !/mjMINVAL/.test(problem.message)) throw problem;
      text = weighted_urdf(text, notes);
      agrees = compare();
    }
    if (put_right) notes.push("put right for MuJoCo");
    if (!agrees && weigh) {
      const before = `mass ${e(worst.mass)}, bias ${e(worst.bias)}, fall ${e(motions.fall?.worst)}, swing ${e(motions.swing?.worst)}`;
      inertias_of_legwork = true;
      for (const k in worst) delete worst[k];
      agrees = compare();
      notes.push(`with Legwork's inertias, which are up to ${e(inertias_apart)} apart; with MuJoCo's ${before}`);
    }
    for (const [what, m] of Object.entries(motions)) if (m.told) notes.push(`${what}: ${m.told}`);
    if (!agrees) outcome = differs, notes.push("DIFFERS");
  } catch (problem) {
    outcome = problem.end ?? differs, notes.push(said(problem));
  }
  console.log(`| ${[name, worst.nv ?? "", ...Object.keys(bounds).map((k) => e(worst[k])), e(motions.fall?.worst),
    e(motions.swing?.worst), notes.join("; ")].join(" | ")} |`);
  if (outcome === differs || end === good) end = outcome;
}
process.exit(end);
