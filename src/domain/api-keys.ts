// API keys: how programs reach the admin side. A key belongs to the user who made it, directly or with
// another key, and is revoked with that user; a key made on the host belongs to nobody.

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
  /** The user that the key belongs to; null for one that was made on the host. */
  userId: string | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
}

/** As it is stored. */
export interface ApiKey extends NewApiKey {
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** Of its user, as of now; null without one, and when the user was deleted. */
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
