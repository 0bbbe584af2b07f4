// Who works here, for the audit trail: the user of the operating system.

import { operatorName } from "../lib/acting-user.ts";

export function osUser(): string {
  try {
    return operatorName();
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
