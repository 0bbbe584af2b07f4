// What went wrong on the disk, in words, with what to do.

import { CliError, exit } from "../exit.ts";
import { whyNotWritten } from "../files/new-file.ts";
import type { Disk } from "./disk.ts";

/** A failure of the work is told with the path. What was done before it stays: the next run goes on. */
export async function telling<T>(disk: Disk, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const told = notWritten(disk.at(path), error);
    throw new CliError(
      told.status,
      `${told.message} Run it again then: it goes on where it ended.`,
      {
        code: told.code,
      },
    );
  }
}

/** `path` is one of this process. */
export function notWritten(path: string, error: unknown): CliError {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") {
    return new CliError(
      exit.notAllowed,
      `${path} cannot be changed by this user: run it as root (sudo).`,
      {
        code: "NOT_ALLOWED",
      },
    );
  }
  return new CliError(exit.failed, `${path} cannot be changed: ${whyNotWritten(error)}.`, {
    code: "FILE_NOT_WRITTEN",
  });
}
