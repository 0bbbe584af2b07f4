// API keys: credentials for programs. A key belongs to the user who uses it. It is revoked when
// that user may no longer have a key with its role, or when the owner who created it for that user
// is no longer an owner. A key that was created on the host can belong to nobody.

import type { KeyRole } from "./principals.ts";
import type { UserStatus } from "./users.ts";

export const apiKeyStatuses = ["ACTIVE", "EXPIRED", "REVOKED"] as const;
export type ApiKeyStatus = (typeof apiKeyStatuses)[number];

/** Times are Unix milliseconds. */
export interface NewApiKey {
  id: string;
  name: string;
  role: KeyRole;
  /** The user that the key belongs to; null if it was created on the host for nobody. */
  userId: string | null;
  /**
   * The user who created the key, and therefore saw it. If it was created with another key, the
   * user who created that one. Null if it was created on the host.
   */
  makerId: string | null;
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
