// A page in Chromium without a display or a GPU, with all errors that it reported.

import { createRequire } from "node:module";

const require = createRequire(new URL("../../viewer/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const plain = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const software = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const without = ["--disable-3d-apis"];

export function launch({ webgl = true } = {}) {
  return chromium.launch({ executablePath: process.env.LEGWORK_CHROMIUM ?? "/usr/bin/chromium", args: [...plain, ...(webgl ? software : without)] });
}

// Opens a file with the network off, for a reader who wants things to stand still unless the options say otherwise: what a test
// looks at is then what it asked for. `complaints` collects errors of console and page, and every request but the file's.
export async function open(browser, file, { script, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  if (script) await page.addInitScript(script); // runs before the page's own
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && request.url() !== `file://${file}`) complaints.push(`request: ${request.url()}`);
  });
  const start = performance.now();
  await page.goto(`file://${file}`);
  await page.waitForSelector("html[data-ready]");
  await drawn(page);
  return { page, complaints, seconds: (performance.now() - start) / 1000 };
}

// Resolves once the requested frame has been drawn.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export const time = (page) => page.evaluate(() => Number(document.getElementById("scrub").value));

export async function seek(page, seconds) {
  await page.evaluate((t) => {
    const slider = document.getElementById("scrub");
    slider.value = t;
    slider.dispatchEvent(new Event("input"));
  }, seconds);
  await drawn(page);
}

// The 3D view's pixels, as bytes of a picture, and how many colours it has.
export async function film(page) {
  const shot = await page.locator("#stage canvas").screenshot();
  const colors = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, `data:image/png;base64,${shot.toString("base64")}`);
  return { shot, colors };
}
