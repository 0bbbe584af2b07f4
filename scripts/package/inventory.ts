// What is inside a packaged file that others have written: the bundled npm packages, SQLite, and Node.js with
// what that is made of.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sqliteVersion } from "../../src/store/engine/sqlite-version.ts";
import { bundledPackages } from "../build/licenses.ts";
import { projectFolder } from "../build/project.ts";
import { type NodePart, nodePartsOf } from "./node-parts.ts";
import type { Material } from "./targets.ts";

export interface NpmPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package says; null when it does not. */
  licence: string | null;
  /** Of the package as it was published, hexadecimal; null when the lock file does not say. */
  sha512: string | null;
  /** Those of the others that it depends on: `<name>@<version>`. */
  needs: string[];
  /** The program itself depends on it. */
  isDirect: boolean;
}

export interface Inventory {
  packages: NpmPackage[];
  sqliteVersion: string;
  nodeVersion: string;
  /** Of the executable, hexadecimal. */
  nodeSha256: string;
  nodeParts: NodePart[];
}

/** Of a bundle of these files, with their whole paths. */
export function takeInventory(files: string[], { node, nodeVersion }: Material): Inventory {
  return {
    packages: npmPackages(files),
    // All builds of the native module are of the same sources.
    sqliteVersion: sqliteVersion(),
    nodeVersion,
    nodeSha256: createHash("sha256").update(readFileSync(node)).digest("hex"),
    // A package is made by a Node.js of the version that is inside.
    nodeParts: nodePartsOf(process.versions),
  };
}

/** One may be there in several versions, each in a folder of its own. */
function npmPackages(files: string[]): NpmPackage[] {
  const lock = readPackage(projectFolder, "package-lock.json").packages;
  const bundled = bundledPackages(files).map(({ name, folder }) => {
    const about = readPackage(folder);
    return { name, folder, about, id: `${name}@${about.version}` };
  });
  const ids = new Map(bundled.map(({ folder, id }) => [folder, id]));
  const resolved = (folder: string, about: PackageFile, kinds: readonly Kind[]) =>
    kinds
      .flatMap((kind) => Object.keys(about[kind] ?? {}))
      .flatMap((name) => ids.get(nearest(folder, name, ids) ?? "") ?? []);
  // What is bundled need not be installed with the npm package: it is among those for development.
  const ofProgram = ["dependencies", "devDependencies"] as const;
  const direct = new Set(resolved(projectFolder, readPackage(projectFolder), ofProgram));
  const packages = bundled.map(({ name, folder, about, id }): [string, NpmPackage] => {
    const locked = lock[relative(projectFolder, folder).replaceAll("\\", "/")];
    const needs = resolved(folder, about, ["dependencies", "optionalDependencies"]);
    return [
      id,
      {
        name,
        version: about.version,
        licence: about.license ?? null,
        sha512: sha512Of(locked?.integrity),
        needs: [...new Set(needs)].sort(),
        isDirect: direct.has(id),
      },
    ];
  });
  return [...new Map(packages.sort(([a], [b]) => (a < b ? -1 : 1))).values()];
}

type Kind = "dependencies" | "devDependencies" | "optionalDependencies";

type PackageFile = Partial<Record<Kind, Record<string, string>>> & {
  version: string;
  license?: string;
  /** Of the lock file, by folder. */
  packages: Record<string, { integrity?: string }>;
};

function readPackage(folder: string, name = "package.json"): PackageFile {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** The folder of the package that has this name for what is in `folder`, as Node looks for it. */
function nearest(folder: string, name: string, known: ReadonlyMap<string, string>): string | null {
  const there = join(folder, "node_modules", name);
  if (known.has(there)) return there;
  return dirname(folder) === folder ? null : nearest(dirname(folder), name, known);
}

function sha512Of(integrity: string | undefined): string | null {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  return digest === undefined ? null : Buffer.from(digest, "base64").toString("hex");
}
