// Root works in a data folder only as the user who controls the path to it.
// (docs/decisions/0013-local-access.md)

import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Place } from "../../domain/storage/place.ts";
import { userName } from "../../lib/files/accounts.ts";
import { actAs, actAsForGood, stopActing } from "../../lib/files/acting-user.ts";
import { type Owner, ownerToBecome, SharedWay } from "../../lib/files/owner-to-become.ts";
import { CliError, exit } from "../exit.ts";

/**
 * If this process is root, it becomes the first user who can change the path to `file`, usually the
 * folder's owner. Every command that touches a data folder calls this first.
 */
export async function actAsOwnerOf(file: string, howLong?: "for good"): Promise<void> {
  const owner = findOwner(file);
  if (owner === null) return;
  // Loads SQLite while the process is still root, from a folder that only root can change.
  const { sqliteVersion } = await import("../../store/engine/sqlite-version.ts");
  sqliteVersion();
  const { filesOfChildren } = await import("./child.ts");
  try {
    if (howLong === "for good") actAsForGood(owner);
    else actAs(owner);
  } catch (error) {
    throw refused(owner, `root cannot become that user here (${(error as Error).message})`);
  }
  const problem = whatIsOutOfReach(file, filesOfChildren());
  if (problem === null) return;
  stopActing();
  throw refused(owner, `that user cannot reach ${problem}`);
}

/**
 * Does the same for a database of any engine. For PostgreSQL, the user is the owner of the keys, or
 * of the data folder if the keys are root's.
 */
export async function actAsOwnerOfPlace(place: Place, howLong?: "for good"): Promise<void> {
  if (place.kind === "file") return actAsOwnerOf(place.file, howLong);
  await actAsOwnerOf(place.auditKeyFile, howLong);
  await actAsOwnerOf(place.headCopyFile, howLong);
}

function findOwner(file: string): Owner | null {
  try {
    return ownerToBecome(file);
  } catch (error) {
    const why =
      error instanceof SharedWay
        ? `${error.message}, and could put links there for root to follow. Give the folder to one user ` +
          "(chown), or remove the write permission of others (chmod go-w)."
        : `the path to ${file} cannot be followed: ${(error as Error).message}.`;
    throw new CliError(exit.notAllowed, why, { code: "NOT_OWNER" });
  }
}

function whatIsOutOfReach(file: string, ofProgram: readonly string[]): string | null {
  // The program later loads more of its code, and starts itself as child processes.
  const denied = ofProgram.find((path) => isDenied(() => closeSync(openSync(path, "r"))));
  if (denied !== undefined) return `this program (${denied})`;
  const folder = dirname(file);
  return isDenied(() => statSync(`${folder}/.`)) ? folder : null;
}

/** Tries the operation, because access(2) checks the real user, which is still root. */
function isDenied(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

function refused({ uid, path }: Owner, why: string): CliError {
  const name = userName(uid);
  const message =
    `${path} belongs to the user ${name}, and root works there only as that user, but ${why}. ` +
    `Run this command as that user, for example: runuser -u ${name} -- platform …`;
  return new CliError(exit.notAllowed, message, { code: "NOT_OWNER" });
}
