// API keys: credentials for programs. A key is revoked when its user is disabled, deleted or
// demoted below the key's role. A key created on the host belongs to no user.

import type { KeyRole } from "./principals.ts";
import type { UserStatus } from "./users.ts";

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
  /** The user that the key belongs to; null if it was created on the host. */
  userId: string | null;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
}

export interface ApiKey extends NewApiKey {
  revokedAt: number | null;
  lastUsedAt: number | null;
  /** Null if the key has no user, or if the user was deleted. */
  username: string | null;
  displayName: string | null;
  userStatus: UserStatus | null;
}

export function apiKeyStatus(
  { revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">,
  now: number,
): ApiKeyStatus {
  if (revokedAt !== null) return "REVOKED";
  return expiresAt !== null && expiresAt <= now ? "EXPIRED" : "ACTIVE";
}
