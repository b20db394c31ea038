// Bundles static/source into static/built, which is committed: who builds the program needs no Node.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const { metafile } = await build({
  entryPoints: ["strabo.js", "map.js", "crawls.js", "strabo.css", "crawls.css"].map((it) => `source/${it}`),
  outdir: "built",
  bundle: true,
  minify: true,
  format: "esm",
  // Browsers of the last three years; older ones get the page without scripts.
  target: ["es2022", "chrome108", "firefox110", "safari16.4"],
  legalComments: "none",
  banner: { js: "/*! licenses.txt beside this file has the licences of what is in it. */" },
  metafile: true,
});

/** The packages of which something is in a built file. */
function packages() {
  const inputs = Object.values(metafile.outputs).flatMap((it) => Object.keys(it.inputs));
  const name = (path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
  return [...new Set(inputs.map(name).filter(Boolean))].sort();
}

/** The licence of a package, under its name and version. */
async function licence(name) {
  const folder = `node_modules/${name}`;
  const { version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  const file = (await readdir(folder)).find((it) => /^licen[cs]e/i.test(it));
  if (!file) throw new Error(`${name} has no file with its licence: leave the package out, or add the text here`);
  return `${name} ${version}\n\n${(await readFile(`${folder}/${file}`, "utf8")).trim()}\n`;
}

const texts = await Promise.all(packages().map(licence));
await writeFile("built/licenses.txt", texts.join(`\n${"-".repeat(80)}\n\n`));

for (const path of Object.keys(metafile.outputs)) {
  console.log(`${path}: ${gzipSync(await readFile(path), { level: 9 }).length} bytes in gzip`);
}
