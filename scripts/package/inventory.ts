import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sqliteVersion } from "../../src/store/engine/sqlite/version.ts";
import { bundledPackages } from "../build/licenses.ts";
import { projectFolder } from "../build/project.ts";
import { sha256Of } from "./checksums.ts";
import { type NodePart, nodePartsOf } from "./node-parts.ts";
import type { Material } from "./targets.ts";

export interface NpmPackage {
  name: string;
  version: string;
  /** An SPDX expression; null if the package has none. */
  licence: string | null;
  /** The published package's hash in hexadecimal; null if the lock file does not contain it. */
  sha512: string | null;
  /** Other packages, as `<name>@<version>`. */
  needs: string[];
  /** Whether the program itself depends on this package. */
  isDirect: boolean;
}

export interface Inventory {
  packages: NpmPackage[];
  sqliteVersion: string;
  nodeVersion: string;
  /** The hash of the Node.js executable in hexadecimal. */
  nodeSha256: string;
  nodeParts: NodePart[];
}

/** `files` are the absolute paths of the bundled files. */
export function takeInventory(files: string[], { node, nodeVersion }: Material): Inventory {
  return {
    packages: npmPackages(files),
    // All builds of the native module are from the same sources.
    sqliteVersion: sqliteVersion(),
    nodeVersion,
    nodeSha256: sha256Of(node),
    // The Node.js inside the package has the same version as this one.
    nodeParts: nodePartsOf(process.versions),
  };
}

/** There can be several versions of one package, each in its own folder. */
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
  /** The keys are folders. */
  packages: Record<string, { integrity?: string }>;
};

function readPackage(folder: string, name = "package.json"): PackageFile {
  return JSON.parse(readFileSync(join(folder, name), "utf8"));
}

/** Searches as Node does, from `folder` upwards. */
function nearest(folder: string, name: string, known: ReadonlyMap<string, string>): string | null {
  const there = join(folder, "node_modules", name);
  if (known.has(there)) return there;
  return dirname(folder) === folder ? null : nearest(dirname(folder), name, known);
}

function sha512Of(integrity: string | undefined): string | null {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  return digest === undefined ? null : Buffer.from(digest, "base64").toString("hex");
}
