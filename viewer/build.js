// Bundles src/ into one HTML page without any outside reference, and that page into a C++ source.
// usage: node build.js [FILE.html [FILE.cpp]]     default: dist/report_template.html
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? `${here}/dist/report_template.html`);
const source = process.argv[3];

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

// Compilers accept any number of string literals, but not any length.
function cpp(text) {
  const bytes = Buffer.from(text);
  const lines = [];
  for (let i = 0; i < bytes.length; i += 8192) {
    const letters = Array.from(bytes.subarray(i, i + 8192), (byte) =>
      byte < 32 || byte > 126 || byte === 34 || byte === 63 || byte === 92 ? `\\${byte.toString(8).padStart(3, "0")}` : String.fromCharCode(byte));
    lines.push(`    "${letters.join("")}"`);
  }
  return `// Generated from viewer/ by viewer/build.js.
#include "report/page.h"

namespace legwork {

std::string_view report_page() noexcept {
  static constexpr char page[] =
${lines.join("\n")};
  return {page, sizeof page - 1};
}

}  // namespace legwork
`;
}

async function write(file, text) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

await write(target, html);
if (source) await write(resolve(source), cpp(html));
