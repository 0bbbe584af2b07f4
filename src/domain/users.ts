// Users: people who administer the service.

import type { Role } from "./principals.ts";

export { usernamePattern, usernameRule } from "../lib/username-rule.ts";

/** The audit actions about users. */
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

/** A user as the database stores it, without the password. Times are Unix milliseconds. */
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

/** Returns the form of a username that must be unique. Letter case does not matter in it. */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}

/** Whether this user is an active owner. At least one such user must always exist. */
export function isActiveOwner(user: Pick<User, "role" | "status">): boolean {
  return user.role === "owner" && user.status === "ACTIVE";
}
