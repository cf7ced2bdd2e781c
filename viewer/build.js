// Bundles src/ into one HTML page without any outside reference.
// usage: node build.js [FILE]     default: dist/report_template.html
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? `${here}/dist/report_template.html`);

async function bundle(entry) {
  const result = await build({
    entryPoints: [`${here}/src/${entry}`],
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022"],
    legalComments: "inline",
    charset: "utf8",
    write: false,
  });
  return result.outputFiles[0].text;
}

// Inside <script> and <style> only their own end tag can end them.
const inline = (text) => text.replaceAll("</script", "<\\/script").replaceAll("</style", "<\\/style");

const page = await readFile(`${here}/src/page.html`, "utf8");
const [script, style] = await Promise.all([bundle("main.js"), bundle("style.css")]);
const html = page
  .replace("/*style*/", () => inline(style.trim()))
  .replace("/*script*/", () => inline(script.trim()));

await mkdir(dirname(target), { recursive: true });
await writeFile(`${target}.new`, html);
await rename(`${target}.new`, target);
