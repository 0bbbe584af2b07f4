// Describes a failure to change something on the disk: what failed, and what to do.

import { dirname } from "node:path";
import { fileProblem } from "../../lib/files/file-problem.ts";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";

/** Adds the path and advice to a failure. Changes made before the failure remain. */
export async function resumable<T>(disk: Disk, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { status, message, code } = notWritten(disk.at(path), error);
    const advice = "Then run this command again: it resumes where it stopped.";
    throw new CliError(status, `${message} ${advice}`, { code });
  }
}

/** `path` is a path that this process uses. */
export function notWritten(path: string, error: unknown): CliError {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") {
    const message = `this user cannot change ${path}: run this command as root (sudo).`;
    return new CliError(exit.notAllowed, message, { code: "NOT_ALLOWED" });
  }
  const message = `${path} cannot be changed: ${fileProblem(error)}.`;
  return new CliError(exit.failed, message, { code: "FILE_NOT_WRITTEN" });
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
