// npm run build: makes dist/, which an installed package runs.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { builtInFrom } from "./built-in.ts";
import { bundle } from "./bundle.ts";
import { buildConsole } from "./console.ts";
import { writeDeclarations } from "./declarations.ts";
import { licencesOf } from "./licenses.ts";
import { copyNativeParts } from "./native-parts.ts";
import { projectFolder } from "./project.ts";

new Command("build")
  .description("Bundles the programs, the agent library and the console into dist/.")
  .parse();

const dist = join(projectFolder, "dist");
// dist/ also contains the packages that `npm run package` made, which must remain.
for (const name of ["main.cjs", "agent", "parts", "types", "licenses.txt"]) {
  rmSync(join(dist, name), { recursive: true, force: true });
}
const bundled = await bundle(dist, builtInFrom(process.env));
const inConsole = await buildConsole(projectFolder, "best");
copyNativeParts(dist);
writeDeclarations(join(dist, "types"));
writeFileSync(join(dist, "licenses.txt"), licencesOf([...bundled, ...inConsole]));
