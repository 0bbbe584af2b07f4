import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readPackageFile } from "../build/project.ts";
import { writeAssets } from "./assets.ts";
import { sha256Of } from "./checksums.ts";
import { codeCachesOf } from "./code-cache.ts";
import type { PackagedConsole } from "./console.ts";
import { makeExecutable } from "./executable.ts";
import { takeInventory } from "./inventory.ts";
import { allLicences } from "./licences.ts";
import type { PackagedProgram } from "./program.ts";
import { bomOf } from "./sbom.ts";
import { type Material, type Target, thisPlatform } from "./targets.ts";

/** Returns the names of the files. The first is the program. */
export async function makePackage(
  folder: string,
  target: Target,
  material: Material,
  program: PackagedProgram,
  packagedConsole: PackagedConsole,
  builtIn: Record<string, string>,
): Promise<[string, ...string[]]> {
  const { version, license } = readPackageFile();
  const { VERSION = version, COMMIT: commit, BUILD_TIME: buildTime } = builtIn;
  const { parts, start, seldom } = program;
  const files = [...program.files, ...packagedConsole.files];
  const licences = allLicences(files, material);

  const base = join(folder, `platform-${VERSION}-${target.name}`);
  const file = base + target.suffix;
  const assets = (place: string) => {
    const runsHere = target.name === thisPlatform();
    const often = new Map([...parts].filter(([name]) => !seldom.has(name)));
    const codeCaches = runsHere ? codeCachesOf(often, join(place, "parts")) : new Map();
    const { native } = material;
    const { contents: console } = packagedConsole;
    return writeAssets(join(place, "assets"), { parts, codeCaches, native, licences, console });
  };
  await makeExecutable(file, { target, material, start, assets });

  const about = { version: VERSION, licence: license, commit, buildTime, sha256: sha256Of(file) };
  const bom = bomOf(about, takeInventory(files, material));
  writeFileSync(`${base}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);
  writeFileSync(`${base}.licenses.txt`, licences);
  return [basename(file), `${basename(base)}.cdx.json`, `${basename(base)}.licenses.txt`];
}
