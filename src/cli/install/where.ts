// Where an installation is, as the flags say, and whether this program can be installed there.

import { normalize, resolve } from "node:path";
import { isPackaged } from "../../lib/files/project-files.ts";
import { CliError, exit, usageError } from "../exit.ts";

/** What runs here. */
export interface RunningProgram {
  /** The single file that it is; null when it has no such. */
  file: string | null;
  system: NodeJS.Platform;
}

export function thisProgram(): RunningProgram {
  return { file: isPackaged ? process.execPath : null, system: process.platform };
}

/** Throws a CliError that says what to do instead. */
export function requireFile({ file, system }: RunningProgram): string {
  requireLinux(system);
  if (file !== null) return file;
  throw new CliError(
    exit.conflict,
    "only the packaged program, the single file, installs itself. `npm run package` makes it in a " +
      "checkout (dist/platform-…); an npm package is installed by npm.",
    { code: "NOT_PACKAGED" },
  );
}

export function requireLinux(system: NodeJS.Platform): void {
  if (system === "linux") return;
  throw new CliError(
    exit.conflict,
    "install and uninstall are for Linux hosts. Here, put this file into a folder of the PATH, as " +
      "platform, and beside it a link or a copy of it as platformctl.",
    { code: "NOT_LINUX" },
  );
}

/** Throws a usage error for what cannot be one. */
export function prefixFrom(given: unknown): string {
  const prefix = String(given).replace(/(?<=.)\/+$/, "");
  if (!prefix.startsWith("/") || normalize(prefix) !== prefix || prefix === "/") {
    throw usageError(`--prefix must be a whole path, such as /usr/local, not ${given}.`);
  }
  // It goes into units, where other characters have a meaning.
  if (/[^\w./+-]/.test(prefix)) {
    throw usageError("--prefix may have letters, digits and . _ + - in it, and nothing else.");
  }
  return prefix;
}

export function rootFrom(given: unknown): string {
  return given === undefined ? "/" : resolve(String(given));
}
