import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readPackageFile } from "../build/project.ts";
import { writeAssets, writeCodeCaches } from "./assets.ts";
import { sha256Of } from "./checksums.ts";
import { codeCachesOf } from "./code-cache.ts";
import type { PackagedConsole } from "./console.ts";
import { makeExecutable } from "./executable.ts";
import { takeInventory } from "./inventory.ts";
import { allLicences } from "./licences.ts";
import type { PackagedProgram } from "./program.ts";
import { bomOf } from "./sbom.ts";
import { type Material, type Target, thisPlatform } from "./targets.ts";
import { warmUpCommands } from "./warm-up.ts";

/** Returns the names of the files. The first is the program. */
export async function makePackage(
  folder: string,
  target: Target,
  material: Material,
  program: PackagedProgram,
  packagedConsole: PackagedConsole,
  builtIn: Record<string, string>,
): Promise<[string, ...string[]]> {
  const { license } = readPackageFile();
  const { VERSION: version = "", COMMIT: commit, BUILD_TIME: buildTime } = builtIn;
  const { parts, start } = program;
  const files = [...program.files, ...packagedConsole.files];
  const licences = allLicences(files, material);

  const base = join(folder, `platform-${version}-${target.name}`);
  const file = base + target.suffix;
  const assets = async (place: string) => {
    const { native } = material;
    const { contents: console } = packagedConsole;
    const folder = join(place, "assets");
    const assets = writeAssets(folder, { parts, native, licences, console });
    if (target.name !== thisPlatform()) return assets;
    const commands = await warmUpCommands(place);
    const codeCaches = codeCachesOf(parts, join(place, "parts"), { assets, commands });
    return { ...assets, ...writeCodeCaches(folder, codeCaches) };
  };
  await makeExecutable(file, { target, material, start, assets });

  const about = { version, licence: license, commit, buildTime, sha256: sha256Of(file) };
  const bom = bomOf(about, takeInventory(files, material));
  writeFileSync(`${base}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);
  writeFileSync(`${base}.licenses.txt`, licences);
  return [basename(file), `${basename(base)}.cdx.json`, `${basename(base)}.licenses.txt`];
}
