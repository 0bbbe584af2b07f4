// What is inside a packaged file that others have written: the bundled npm packages, SQLite, and Node.js with
// what that is made of.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sqliteVersion } from "../../src/store/sqlite-version.ts";
import { bundledPackages } from "../build/licenses.ts";
import { projectFolder } from "../build/project.ts";
import type { Material } from "./targets.ts";

export interface NpmPackage {
  name: string;
  version: string;
  /** An SPDX expression, as the package says. */
  licence: string;
  /** Of the package as it was published, hexadecimal; null when the lock file does not say. */
  sha512: string | null;
  /** Those of the others that it depends on, by name. */
  needs: string[];
}

export interface Inventory {
  packages: NpmPackage[];
  sqliteVersion: string;
  nodeVersion: string;
  /** Of the executable, hexadecimal. */
  nodeSha256: string;
  /** The versions of the libraries inside Node.js, by name. */
  nodeParts: [name: string, version: string][];
}

/** Of a bundle of these files, with their whole paths. */
export function takeInventory(files: string[], { node, nodeVersion }: Material): Inventory {
  return {
    packages: npmPackages(files),
    // All builds of the native module are of the same sources.
    sqliteVersion: sqliteVersion(),
    nodeVersion,
    nodeSha256: createHash("sha256").update(readFileSync(node)).digest("hex"),
    nodeParts: nodeParts(),
  };
}

function npmPackages(files: string[]): NpmPackage[] {
  const bundled = bundledPackages(files);
  const lock = JSON.parse(readFileSync(join(projectFolder, "package-lock.json"), "utf8"));
  return bundled.map(({ name, folder }) => {
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const locked = lock.packages[relative(projectFolder, folder).replaceAll("\\", "/")];
    return {
      name,
      version: about.version,
      licence: about.license ?? "NOASSERTION",
      sha512: sha512Of(locked?.integrity),
      needs: bundled
        .map((other) => other.name)
        .filter((other) => other in (about.dependencies ?? {})),
    };
  });
}

function sha512Of(integrity: string | undefined): string | null {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  return digest === undefined ? null : Buffer.from(digest, "base64").toString("hex");
}

/** Not libraries: Node.js itself, numbers of interfaces, and data. */
const noParts = new Set(["node", "modules", "napi", "unicode", "cldr", "tz"]);

/** A package is made by a Node.js of the version that is inside. */
function nodeParts(): [string, string][] {
  const all = Object.entries(process.versions).filter(([name]) => !noParts.has(name));
  return all.map(([name, version]): [string, string] => [name, version ?? ""]).sort();
}
