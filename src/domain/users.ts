// Users: people who administer. (`service.md` "Users and audit events"; `decisions.md` 5)

import type { Role } from "./principals.ts";

/** A user as it is stored, without the password. */
export interface User {
  id: string;
  username: string;
  role: Role;
  status: "ACTIVE" | "DISABLED";
}

/** Names differ by more than letter case. */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}
