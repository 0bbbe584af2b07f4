// Every command that touches a data folder calls this first: root works there as the user whose folder it is, or
// who can change the way to it (lib/files/acting-user.ts says why).
// (docs/decisions/0013-local-access.md)

import { closeSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { userName } from "../../lib/files/accounts.ts";
import { actAs, actAsForGood, stopActing } from "../../lib/files/acting-user.ts";
import { type Owner, ownerToBecome, SharedWay } from "../../lib/files/owner-to-become.ts";
import { isPackaged, mainFile } from "../../lib/files/project-files.ts";
import { CliError, exit } from "../exit.ts";

/**
 * From now on, and in every process that this one starts, this is the first user who can change the way to
 * `file`, as a rule the owner of its folder; until the command ends, or for good. Nothing happens to others than
 * root, or where nobody but root can change it. Throws a CliError when the system does not allow it.
 */
export async function actAsOwnerOf(file: string, howLong?: "for good"): Promise<void> {
  const owner = findOwner(file);
  if (owner === null) return;
  // Code is loaded with root's rights from where root alone can put it, never with the user's.
  const { sqliteVersion } = await import("../../store/engine/sqlite-version.ts");
  sqliteVersion();
  try {
    if (howLong === "for good") actAsForGood(owner);
    else actAs(owner);
  } catch (error) {
    throw refused(owner, `root may not become that user here (${(error as Error).message})`);
  }
  const problem = whatIsOutOfReach(file);
  if (problem === null) return;
  stopActing();
  throw refused(owner, `that user cannot reach ${problem}`);
}

function findOwner(file: string): Owner | null {
  try {
    return ownerToBecome(file);
  } catch (error) {
    const why =
      error instanceof SharedWay
        ? `${error.message}, and could put links there for root to follow. Give the folder to one user ` +
          "(chown), or take the others' right to write away (chmod go-w)."
        : `the way to ${file} cannot be followed: ${(error as Error).message}.`;
    throw new CliError(exit.notAllowed, why, { code: "NOT_OWNER" });
  }
}

function whatIsOutOfReach(file: string): string | null {
  // More of it is loaded later, and parts of it are started as processes.
  const main = isPackaged ? null : mainFile();
  if (main !== null && isDenied(() => closeSync(openSync(main, "r")))) {
    return `this program (${main})`;
  }
  const folder = dirname(file);
  return isDenied(() => statSync(`${folder}/.`)) ? folder : null;
}

/** By trying: access(2) answers for the real user, who is root still. */
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
  return new CliError(
    exit.notAllowed,
    `${path} belongs to the user ${name}, and root works there only as its owner, but ${why}. ` +
      `Run this as that user, such as: runuser -u ${name} -- platform …`,
    { code: "NOT_OWNER" },
  );
}
