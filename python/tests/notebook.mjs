// usage: node notebook.mjs CELL.html    what the frame of a notebook's cell shows in Chromium: its heading, once it is ready

import { launch } from "../../tests/viewer/browser.mjs";

const browser = await launch({ webgl: false });
const page = await browser.newPage();
await page.goto(`file://${process.argv[2]}`);
const frame = page.frames()[1];
await frame.waitForSelector("html[data-ready]", { timeout: 60000 }).catch(() => {});
console.log(await frame.locator("h1").first().innerText({ timeout: 1000 }).catch(() => "nothing"));
await browser.close();
