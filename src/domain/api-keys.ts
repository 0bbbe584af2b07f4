// API keys: credentials for programs. A key belongs to the user who created it, directly or with
// another key, and is revoked when that user is disabled, deleted or demoted below the key's role.
// A key created on the host belongs to no user.

import type { KeyRole } from "./principals.ts";
import type { UserStatus } from "./users.ts";

/** The audit actions about API keys. */
export const audited = {
  targetType: "api_key",
  actions: ["api_key.created", "api_key.revoked", "api_key.deleted"],
} as const;

export const apiKeyStatuses = ["ACTIVE", "EXPIRED", "REVOKED"] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** The fields of a new key. Times are Unix milliseconds. */
export interface NewApiKey {
  id: string;
  name: string;
  role: KeyRole;
  /** The user that the key belongs to; null if it was created on the host. */
  userId: string | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
}

/** An API key as the database stores it. */
export interface ApiKey extends NewApiKey {
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** The current name of the key's user; null if the key has none, or if the user was deleted. */
  username: string | null;
  userStatus: UserStatus | null;
}

export function apiKeyStatus(
  { revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">,
  now: number,
): ApiKeyStatus {
  if (revokedAt !== null) return "REVOKED";
  return expiresAt !== null && expiresAt <= now ? "EXPIRED" : "ACTIVE";
}
