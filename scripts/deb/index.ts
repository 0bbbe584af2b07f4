// npm run package:deb

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { commandLine } from "../../src/cli/commands/index.ts";
import { projectFolder } from "../build/project.ts";
import { sha256Of, writeChecksums } from "../package/checksums.ts";
import { buildPackage } from "./build.ts";
import { fileNameOf } from "./control.ts";
import { treeOf } from "./tree.ts";

const { DEBFULLNAME, DEBEMAIL } = process.env;
const { out, maintainer } = new Command("package:deb")
  .description("Makes a Debian package from each packaged program for Linux.")
  .option(
    "--out <folder>",
    "folder that contains the programs and gets the packages",
    join(projectFolder, "dist"),
  )
  .option(
    "--maintainer <name>",
    "the maintainer of the package",
    `${DEBFULLNAME ?? "platform"} <${DEBEMAIL ?? "root@localhost"}>`,
  )
  .parse()
  .opts<{ out: string; maintainer: string }>();

const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" };

if (spawnSync("dpkg-deb", ["--version"]).error) {
  fail(
    "dpkg-deb is not installed. Debian and Ubuntu include it; on other systems, install the package dpkg.",
  );
} else {
  await main(resolve(out));
}

async function main(folder: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    if (/^platform_.*\.deb$/.test(name)) rmSync(join(folder, name));
  }
  const made: string[] = [];
  for (const name of names) {
    const [, arch = ""] = /^platform-.+-linux-(x64|arm64)$/.exec(name) ?? [];
    const architecture = architectures[arch];
    if (architecture) made.push(await packageProgram(folder, name, architecture));
  }
  if (made.length > 0) addChecksums(folder, made);
  else fail(`There is no program in ${folder}: run \`npm run package\` first.`);
}

/** Returns the file name of the package. */
async function packageProgram(folder: string, name: string, architecture: string): Promise<string> {
  const { version, buildTime, sha256 } = readBom(join(folder, `${name}.cdx.json`));
  const file = join(folder, name);
  if (sha256Of(file) !== sha256) throw new Error(`${file} does not match its .cdx.json`);
  const licences = readFileSync(`${file}.licenses.txt`, "utf8");
  const changelog = readFileSync(join(projectFolder, "CHANGELOG.md"), "utf8");
  const made = fileNameOf(version, architecture);
  buildPackage(join(folder, made), {
    tree: await treeOf({ version, buildTime, table: await commandLine() }, { licences, changelog }),
    program: readFileSync(file),
    about: { version, architecture, maintainer },
    time: buildTime === undefined ? 0 : Math.floor(Date.parse(buildTime) / 1000),
  });
  console.log(`${made}: ${(readFileSync(join(folder, made)).length / 1e6).toFixed(1)} MB`);
  return made;
}

/** Reads the bill of materials that `npm run package` wrote. */
function readBom(file: string): { version: string; buildTime: string | undefined; sha256: string } {
  const { timestamp, component } = JSON.parse(readFileSync(file, "utf8")).metadata;
  return { version: component.version, buildTime: timestamp, sha256: component.hashes[0].content };
}

function addChecksums(folder: string, made: string[]): void {
  const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").split("\n");
  const names = lines
    .map((line) => line.slice(66))
    .filter((name) => existsSync(join(folder, name)));
  writeChecksums(folder, [...new Set([...names.filter((name) => name !== ""), ...made])]);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
