// The platforms that a package can be made for, and the material for it on this machine.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../build/project.ts";

export interface Target {
  /** Part of the package's name: `linux-x64`. */
  name: string;
  /** The names that pkg uses. */
  platform: "linux" | "macos" | "win";
  arch: "x64" | "arm64";
  /** The npm package with its Node.js, and the path of the executable in it. */
  nodePackage: string;
  nodeFile: string;
  /** The name that better-sqlite3 uses. */
  prebuild: string;
  suffix: string;
}

export const targets: Target[] = [
  target("linux", "x64"),
  target("linux", "arm64"),
  target("macos", "x64"),
  target("macos", "arm64"),
  target("win", "x64"),
];

function target(platform: Target["platform"], arch: Target["arch"]): Target {
  const isWindows = platform === "win";
  const name = `${platform === "macos" ? "darwin" : platform}-${arch}`;
  return {
    ...{ name, platform, arch, nodePackage: `node-${name}` },
    nodeFile: isWindows ? "bin/node.exe" : "bin/node",
    prebuild: isWindows ? `win32-${arch}` : name,
    suffix: isWindows ? ".exe" : "",
  };
}

/** What a package for a platform is made of. */
export interface Material {
  /** The executable of Node.js. */
  node: string;
  /** The folder of the npm package that contains it. */
  nodePackage: string;
  nodeVersion: string;
  /** The native module of better-sqlite3. */
  native: string;
}

/**
 * Searches the folders of npm packages in this order. Returns the reason if there is none: the Node.js
 * must have the version of the one that runs this script.
 */
export function materialFor(target: Target, folders: string[]): Material | string {
  const native = join(
    projectFolder,
    "node_modules/better-sqlite3/prebuilds",
    `${target.prebuild}.node`,
  );
  if (!existsSync(native)) return `better-sqlite3 has no module for ${target.prebuild}`;
  const candidates = folders.map((folder) => join(folder, target.nodePackage));
  const nodePackage = candidates.find((folder) => existsSync(join(folder, target.nodeFile)));
  if (nodePackage === undefined) return `the npm package ${target.nodePackage} is not installed`;
  const about = JSON.parse(readFileSync(join(nodePackage, "package.json"), "utf8"));
  const nodeVersion: string = about.version;
  if (`v${nodeVersion}` === process.version) {
    return { node: join(nodePackage, target.nodeFile), nodePackage, nodeVersion, native };
  }
  return `its Node.js is ${nodeVersion}, and must be ${process.versions.node} as here`;
}

export function thisPlatform(): string {
  const system = process.platform === "win32" ? "win" : process.platform;
  return `${system}-${process.arch}`;
}
