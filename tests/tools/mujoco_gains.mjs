// usage: node mujoco_gains.mjs FILE.xml
// What MuJoCo makes of a file's actuators, as one JSON object: gain, bias, gear and time constants.
import fs from "node:fs";
import load_mujoco from "@mujoco/mujoco";

const mujoco = await load_mujoco();
const model = mujoco.MjModel.from_xml_string(fs.readFileSync(process.argv[2], "utf8"));
const data = new mujoco.MjData(model);
mujoco.mj_forward(model, data);
const M = new mujoco.DoubleBuffer(model.nv * model.nv);
mujoco.mj_fullM(model, data, M);
const width = model.actuator_gainprm.length / model.nu;
const rows = [];
for (let i = 0; i < model.nu; ++i) {
  rows.push({
    gain: model.actuator_gainprm[i * width],
    bias: Array.from(model.actuator_biasprm.slice(i * width, i * width + 3)),
    gear: model.actuator_gear[6 * i],
    range: Array.from(model.actuator_ctrlrange.slice(2 * i, 2 * i + 2)),
    time: model.actuator_dynprm[i * (model.actuator_dynprm.length / model.nu)],
  });
}
console.log(JSON.stringify({ actuators: rows, mass: Array.from(M.GetView()) }));
