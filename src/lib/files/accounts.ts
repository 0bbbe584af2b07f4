// Reads the accounts in /etc/passwd, which does not list accounts from LDAP or systemd.

import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

/** Returns null if the user has no account. */
export function accountName(uid: number): string | null {
  return lines().find((fields) => fields[2] === String(uid))?.[0] || null;
}

/** Returns the name. If there is none, returns the UID in the form `#1234`, which sudo accepts. */
export function userName(uid: number): string {
  return accountName(uid) ?? `#${uid}`;
}

/** Returns the name of this process's user, or the UID if there is no name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function lines(): string[][] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
