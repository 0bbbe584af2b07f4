import type { Role } from "./principals.ts";

export const userStatuses = ["ACTIVE", "DISABLED"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Times are Unix milliseconds. */
export interface User {
  id: string;
  username: string;
  /** Not unique, so it does not identify the user. */
  displayName: string | null;
  role: Role;
  status: UserStatus;
  /** Increases with each change, for optimistic locking. */
  version: number;
  createdAt: number;
  updatedAt: number;
  passwordChangedAt: number;
  lastLoginAt: number | null;
}

/** Usernames are unique in this form, in which letter case does not matter. */
export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}

export const displayNameMaxLength = 100;

/** At least one such user must always exist. */
export function isActiveOwner(user: Pick<User, "role" | "status">): boolean {
  return user.role === "owner" && user.status === "ACTIVE";
}
