// What the program wrote into the page: an index, the bodies, and the motions, each parsed when it is first shown.
// Numbers over time are base64 of little-endian Float32; positions in m, Z up, quaternions x y z w.

function bytes(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64).buffer;
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}

export const floats = (base64) => new Float32Array(bytes(base64));
export const indices = (base64) => new Uint32Array(bytes(base64));

export function readIndex() {
  const block = document.getElementById("legwork-report");
  return block ? JSON.parse(block.textContent) : null;
}

const blocks = new Map();

function readBlock(id, decoder) {
  if (!blocks.has(id)) blocks.set(id, decoder(JSON.parse(document.getElementById(id).textContent)));
  return blocks.get(id);
}

export const readEntry = (k) => readBlock(`legwork-entry-${k}`, decode);

function decode(raw) {
  const creature = readBlock(`legwork-body-${raw.body}`, (body) => body);
  const entry = { ...raw, creature, poses: floats(raw.poses), time: times(raw) };
  entry.contacts = raw.contacts && { ...raw.contacts, values: floats(raw.contacts.values) };
  entry.duration = entry.time[entry.frames - 1] - entry.time[0];
  entry.channels = raw.channels.map((channel) => withSeries(channel, raw.frames));
  return entry;
}

function times({ frames, rate, start }) {
  const t = new Float64Array(frames);
  for (let i = 0; i < frames; ++i) t[i] = start + i / rate;
  return t;
}

// A picture in the gallery needs no plots: their numbers are read when they are drawn.
function withSeries(channel, frames) {
  let series;
  return { ...channel, get series() { return (series ??= seriesOf(channel, frames)); } };
}

// One array per series, in the order of the groups.
function seriesOf(channel, frames) {
  const values = floats(channel.values);
  const count = channel.groups.reduce((n, group) => n + group.series.length, 0);
  return Array.from({ length: count }, (_, k) => withGaps(values.subarray(k * frames, (k + 1) * frames)));
}

// What is not known becomes null, which the plots leave out.
const withGaps = (values) => (values.every(Number.isFinite) ? values : Array.from(values, (x) => (Number.isFinite(x) ? x : null)));

// Index of the frame at or before a time, and how far it is to the next one, in [0, 1).
export function frameAt(entry, time) {
  const x = Math.min(Math.max((time - entry.start) * entry.rate, 0), entry.frames - 1);
  const frame = Math.min(Math.floor(x + 1e-6), Math.max(entry.frames - 2, 0));
  return { frame, blend: entry.frames > 1 ? Math.min(Math.max(x - frame, 0), 1) : 0 };
}
