// Root does not work in a folder that another user controls, because that user could put a link
// there for root to follow. (docs/decisions/0013-local-access.md)

import type { Place } from "../../domain/storage/place.ts";
import { accountName, userName } from "../../lib/files/accounts.ts";
import {
  findUntrustedUser,
  type UntrustedUser,
  WritableByOthers,
} from "../../lib/files/untrusted-user.ts";
import { CliError, exit } from "../exit.ts";

/** Throws NOT_OWNER. Every command that touches a database calls this first. */
export function refuseRoot(place: Place): void {
  const files = place.kind === "file" ? [place.file] : [place.auditKeyFile, place.headCopyFile];
  const why = files.map(whyRefused).find((reason) => reason !== null);
  if (why) throw new CliError(exit.notAllowed, why, { code: "NOT_OWNER" });
}

function whyRefused(file: string): string | null {
  try {
    const user = findUntrustedUser(file);
    if (user === null) return null;
    return (
      `${user.path} belongs to the user ${userName(user.uid)}, who could put links there for root to ` +
      `follow. Run this command as that user: ${programAs(user)} platform …`
    );
  } catch (error) {
    if (!(error instanceof WritableByOthers)) {
      return `the path to ${file} cannot be followed: ${(error as Error).message}.`;
    }
    return (
      `${error.message}, and could put links there for root to follow. Give the folder to one user ` +
      "(chown), or remove the write permission of others (chmod go-w)."
    );
  }
}

/** runuser accepts only users with an account. */
function programAs({ uid, gid }: UntrustedUser): string {
  const name = accountName(uid);
  return name === null
    ? `setpriv --reuid=${uid} --regid=${gid} --clear-groups`
    : `runuser -u ${name} --`;
}
