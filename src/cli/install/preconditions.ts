// Determines where an installation is, and whether this program can be installed there.

import { normalize, resolve } from "node:path";
import { isPackaged } from "../../lib/files/project-files.ts";
import { CliError, exit, usageError } from "../exit.ts";

export interface RunningProgram {
  /** Null if the program is not packaged. */
  file: string | null;
  system: NodeJS.Platform;
}

export function thisProgram(): RunningProgram {
  return { file: isPackaged ? process.execPath : null, system: process.platform };
}

export function requireFile({ file, system }: RunningProgram): string {
  requireLinux(system);
  if (file !== null) return file;
  const message =
    "only the packaged program (a single file) can install itself. `npm run package` creates that file in a " +
    "checkout (dist/platform-…); an npm package is installed by npm.";
  throw new CliError(exit.conflict, message, { code: "NOT_PACKAGED" });
}

export function requireLinux(system: NodeJS.Platform): void {
  if (system === "linux") return;
  const message =
    "install and uninstall are for Linux hosts. On this system, copy this file as platform to a folder in the PATH, " +
    "and add a link or a copy named platformctl.";
  throw new CliError(exit.conflict, message, { code: "NOT_LINUX" });
}

export function prefixFrom(given: unknown): string {
  const prefix = String(given).replace(/(?<=.)\/+$/, "");
  if (!prefix.startsWith("/") || normalize(prefix) !== prefix || prefix === "/") {
    throw usageError(`--prefix must be an absolute path such as /usr/local, not ${given}.`);
  }
  // The prefix becomes part of units, where other characters have a meaning.
  if (/[^\w./+-]/.test(prefix)) {
    throw usageError("--prefix can contain only letters, digits and . _ + - /.");
  }
  return prefix;
}

export function rootFrom(given: unknown): string {
  return given === undefined ? "/" : resolve(String(given));
}
