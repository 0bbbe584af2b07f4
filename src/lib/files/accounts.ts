// Reads the accounts in /etc/passwd, which does not list accounts from LDAP or systemd.

import { readFileSync } from "node:fs";

export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export function findAccount(uid: number): Account | null {
  const line = lines().find((fields) => fields[2] === String(uid));
  return line?.[0] ? { name: line[0], uid, gid: Number(line[3]) } : null;
}

/** Returns the name, or `#1234` if there is none. Both sudo and runuser accept this form. */
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
