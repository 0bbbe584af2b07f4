// Lists the third-party parts of a packaged file: the bundled npm packages, SQLite, and Node.js
// with its libraries.

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
  /** The package's SPDX expression; null without one. */
  licence: string | null;
  /** The published package's hash, in hexadecimal; null if the lock file does not contain it. */
  sha512: string | null;
  /** The other packages that this package depends on: `<name>@<version>`. */
  needs: string[];
  /** Whether the program itself depends on this package. */
  isDirect: boolean;
}

export interface Inventory {
  packages: NpmPackage[];
  sqliteVersion: string;
  nodeVersion: string;
  /** The hash of the Node.js executable, in hexadecimal. */
  nodeSha256: string;
  nodeParts: NodePart[];
}

/** Returns the inventory of a bundle that is made from these files (absolute paths). */
export function takeInventory(files: string[], { node, nodeVersion }: Material): Inventory {
  return {
    packages: npmPackages(files),
    // All builds of the native module are from the same sources.
    sqliteVersion: sqliteVersion(),
    nodeVersion,
    nodeSha256: createHash("sha256").update(readFileSync(node)).digest("hex"),
    // The Node.js that makes the package has the same version as the Node.js inside it.
    nodeParts: nodePartsOf(process.versions),
  };
}

/**
 * Returns the bundled packages. There can be several versions of one package, each in its own
 * folder.
 */
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
  // Bundled packages are development dependencies, which the npm package does not install.
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
  /** The lock file's entries by folder. */
  packages: Record<string, { integrity?: string }>;
};

function readPackage(folder: string, name = "package.json"): PackageFile {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/**
 * Returns the folder where Node finds the package with this name when it searches from `folder`.
 */
function nearest(folder: string, name: string, known: ReadonlyMap<string, string>): string | null {
  const there = join(folder, "node_modules", name);
  if (known.has(there)) return there;
  return dirname(folder) === folder ? null : nearest(dirname(folder), name, known);
}

function sha512Of(integrity: string | undefined): string | null {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  return digest === undefined ? null : Buffer.from(digest, "base64").toString("hex");
}
