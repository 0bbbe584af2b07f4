// Who works here, for the audit trail: the user of the operating system.

import { userInfo } from "node:os";

export function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
