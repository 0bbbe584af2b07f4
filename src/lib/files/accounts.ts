// Reads the accounts in /etc/passwd, for messages and for a user's own group. Accounts from other
// sources (LDAP, systemd) are not listed in that file.

import { readFileSync } from "node:fs";

export interface Account {
  name: string;
  uid: number;
  /** The primary group. */
  gid: number;
}

export function findAccount(uid: number): Account | null {
  const line = lines().find((fields) => fields[2] === String(uid));
  return line?.[0] ? { name: line[0], uid, gid: Number(line[3]) } : null;
}

/**
 * Returns the user in the form that sudo and runuser accept: the name, or `#1234` if there is none.
 */
export function userName(uid: number): string {
  return findAccount(uid)?.name ?? `#${uid}`;
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
