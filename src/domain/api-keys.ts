// API keys: credentials of programs. A key belongs to the user who created it, directly or with
// another key, and is revoked with that user. A key created on the host belongs to no user.

import type { KeyRole } from "./principals.ts";
import type { UserStatus } from "./users.ts";

/** What the audit trail records of API keys. */
export const audited = {
  targetType: "api_key",
  actions: ["api_key.created", "api_key.revoked", "api_key.deleted"],
} as const;

export const apiKeyStatuses = ["ACTIVE", "EXPIRED", "REVOKED"] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Times are Unix milliseconds. */
export interface NewApiKey {
  id: string;
  name: string;
  role: KeyRole;
  /** The owner of the key; null if it was created on the host. */
  userId: string | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
}

/** An API key as it is stored. */
export interface ApiKey extends NewApiKey {
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** The current name of its user; null without one, and after the user was deleted. */
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
