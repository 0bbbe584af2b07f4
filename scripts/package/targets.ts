// The platforms that a package can be made for, and what there is to make it of.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../build/project.ts";

export interface Target {
  /** As in the name of the package: `linux-x64`. */
  name: string;
  /** As pkg calls them. */
  platform: "linux" | "macos" | "win";
  arch: "x64" | "arm64";
  /** The npm package that brings its Node.js, and where in it that is. */
  nodePackage: string;
  nodeFile: string;
  /** The name that better-sqlite3 gives it. */
  prebuild: string;
  suffix: string;
}

export const targets: Target[] = [
  linux("x64"),
  linux("arm64"),
  mac("x64"),
  mac("arm64"),
  windows("x64"),
];

function linux(arch: Target["arch"]): Target {
  return unix({ name: `linux-${arch}`, platform: "linux", arch });
}

function mac(arch: Target["arch"]): Target {
  return unix({ name: `darwin-${arch}`, platform: "macos", arch });
}

function unix(about: Pick<Target, "name" | "platform" | "arch">): Target {
  const { name } = about;
  return {
    ...about,
    nodePackage: `node-${name}`,
    nodeFile: "bin/node",
    prebuild: name,
    suffix: "",
  };
}

function windows(arch: Target["arch"]): Target {
  return {
    name: `win-${arch}`,
    platform: "win",
    arch,
    nodePackage: `node-win-${arch}`,
    nodeFile: "bin/node.exe",
    prebuild: `win32-${arch}`,
    suffix: ".exe",
  };
}

/** What a package for a platform is made of. */
export interface Material {
  /** The executable of Node.js. */
  node: string;
  /** The folder of the npm package that brings it. */
  nodePackage: string;
  nodeVersion: string;
  /** The native module of better-sqlite3. */
  native: string;
}

/**
 * Looks for it in the folders of npm packages, in this order. Answers why there is none: the Node.js must
 * be there, and of the version that packages it.
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
