import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../build/project.ts";

export interface Target {
  /** The platform in the package's name: `linux-x64`. */
  name: string;
  /** pkg's name for the platform. */
  platform: "linux" | "macos" | "win";
  arch: "x64" | "arm64";
  /** The npm package that contains Node.js, and the path of the executable in that package. */
  nodePackage: string;
  nodeFile: string;
  /** better-sqlite3's name for the platform. */
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
    name,
    platform,
    arch,
    nodePackage: `node-${name}`,
    nodeFile: isWindows ? "bin/node.exe" : "bin/node",
    prebuild: isWindows ? `win32-${arch}` : name,
    suffix: isWindows ? ".exe" : "",
  };
}

/** The files that a package for one platform is made from. */
export interface Material {
  /** The executable of Node.js. */
  node: string;
  /** The folder of the npm package that contains Node.js. */
  nodePackage: string;
  nodeVersion: string;
  /** The native module of better-sqlite3. */
  native: string;
}

/**
 * Returns the reason if the material is missing or unusable. The Node.js to package must have the
 * same version as the Node.js that runs this script.
 */
export function materialFor(target: Target, folders: string[]): Material | string {
  const native = join(
    projectFolder,
    "node_modules/better-sqlite3/prebuilds",
    `${target.prebuild}.node`,
  );
  if (!existsSync(native)) return `better-sqlite3 has no native module for ${target.prebuild}`;
  const candidates = folders.map((folder) => join(folder, target.nodePackage));
  const nodePackage = candidates.find((folder) => existsSync(join(folder, target.nodeFile)));
  if (nodePackage === undefined) return `the npm package ${target.nodePackage} is not installed`;
  const about = JSON.parse(readFileSync(join(nodePackage, "package.json"), "utf8"));
  const nodeVersion: string = about.version;
  if (`v${nodeVersion}` === process.version) {
    return { node: join(nodePackage, target.nodeFile), nodePackage, nodeVersion, native };
  }
  return `its Node.js has version ${nodeVersion}, but must have ${process.versions.node} like this Node.js`;
}

export function thisPlatform(): string {
  const system = process.platform === "win32" ? "win" : process.platform;
  return `${system}-${process.arch}`;
}

/** Whether `npm run package` makes files with such names. */
export function isPackageFile(name: string): boolean {
  return targets.some(({ name: target, suffix }) => {
    const ends = [suffix, ".cdx.json", ".licenses.txt"].map((end) => `-${target}${end}`);
    return /^platform-\d/.test(name) && ends.some((end) => name.endsWith(end));
  });
}
