// The steps of an installation or a removal, one for each path, and how they are carried out.

import { dirname } from "node:path";
import { fileProblem } from "../../lib/files/file-problem.ts";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";

export interface Step {
  action:
    | "add"
    | "update"
    | "keep"
    | "remove"
    /** For a file that the administrator has changed. */
    | "leave";
  what: string;
  path: string;
  note: string | null;
  /** Makes the change; absent if there is none. */
  act?: (() => Promise<void>) | undefined;
}

/** Stops between two steps if the signal aborts. */
export async function carryOut(
  disk: Disk,
  steps: readonly Step[],
  signal: AbortSignal,
): Promise<void> {
  for (const { path, act } of steps) {
    signal.throwIfAborted();
    if (act) await explained(disk.at(path), act);
  }
}

/** Turns a failure to read or change `path`, an actual path, into a CliError. */
export async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") {
      const message = `this user cannot change ${path}: run this command as root (sudo).`;
      throw new CliError(exit.notAllowed, message, { code: "NOT_ALLOWED" });
    }
    const message =
      `${path} cannot be changed: ${fileProblem(error)}. Fix this, and run the command again: it ` +
      "resumes where it stopped.";
    throw new CliError(exit.failed, message, { code: "FILE_NOT_WRITTEN" });
  }
}

/**
 * Throws a CliError if root would change a folder that another user can write to. That user could
 * redirect the change, or replace the installed program.
 */
export async function requireOwnFolders(disk: Disk, paths: readonly string[]): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { requireTrusted } = await import("../../packaged/trusted-folder.ts");
  for (const folder of new Set(paths.map((path) => dirname(disk.at(path))))) {
    try {
      requireTrusted(folder);
    } catch (error) {
      const message =
        `${(error as Error).message}, and could change what root writes or runs there. Allow only root to ` +
        "write to it (chown root, chmod go-w), or choose another --prefix.";
      throw new CliError(exit.conflict, message, { code: "FOLDER_OF_OTHERS", details: { folder } });
    }
  }
}
