// Users: people who administer the service.

import type { Role } from "./principals.ts";

export { usernamePattern, usernameRule } from "../lib/username-rule.ts";

/** What the audit trail records of users. */
export const audited = {
  targetType: "user",
  actions: [
    "user.created",
    "user.updated",
    "user.deleted",
    "user.password.changed",
    "user.sessions.revoked",
  ],
} as const;

export const userStatuses = ["ACTIVE", "DISABLED"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** A user as it is stored, without the password. Times are Unix milliseconds. */
export interface User {
  id: string;
  username: string;
  role: Role;
  status: UserStatus;
  /** Incremented by each change, for optimistic locking. */
  version: number;
  createdAt: number;
  updatedAt: number;
  passwordChangedAt: number;
  lastLoginAt: number | null;
}

/** The key under which usernames are unique, regardless of letter case. */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}

/** Whether this user can administer everything. At least one such user must exist. */
export function isActiveOwner(user: Pick<User, "role" | "status">): boolean {
  return user.role === "owner" && user.status === "ACTIVE";
}
