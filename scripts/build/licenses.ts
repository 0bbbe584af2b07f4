// The bundle must be distributed with the licences of its packages.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./project.ts";

interface BundledPackage {
  name: string;
  folder: string;
}

export function licencesOf(bundled: string[]): string {
  const parts = bundledPackages(bundled).map(({ name, folder }) => {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const page = `https://www.npmjs.com/package/${name}/v/${version}`;
    // Some packages name their licence but do not contain its text.
    return `${name} ${version} (${license})\n${page}\n\n${licenceText(folder) ?? license}\n`;
  });
  const font = readFileSync(join(projectFolder, "src/console/styles/inter.license.txt"), "utf8");
  const rule = `\n${"-".repeat(80)}\n\n`;
  return [
    "These programs include the packages below, which have their own licences.\n",
    ...parts,
    `Inter, the font of the console, with fewer characters and weights (OFL-1.1)\nhttps://rsms.me/inter/\n\n${font.trim()}\n`,
  ].join(rule);
}

/** Returns the packages that contain these files (absolute paths), sorted by name. */
export function bundledPackages(files: string[]): BundledPackage[] {
  const found = new Map<string, string>();
  for (const file of files) {
    const [, folder, name] = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(file) ?? [];
    if (name && folder) found.set(folder, name);
  }
  return [...found]
    .map(([folder, name]) => ({ name, folder }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function licenceText(folder: string): string | null {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  return file ? readFileSync(join(folder, file), "utf8").trim() : null;
}
