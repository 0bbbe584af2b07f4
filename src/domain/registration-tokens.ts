// Registration tokens: each registers one agent, once. The sweep writes the status EXPIRED.

/** The audit actions about registration tokens. */
export const audited = {
  targetType: "registration_token",
  actions: [
    "registration_token.created",
    "registration_token.consumed",
    "registration_token.revoked",
    "registration_token.deleted",
    "registration_token.rejected",
  ],
} as const;

export const registrationTokenStatuses = ["ACTIVE", "USED", "REVOKED", "EXPIRED"] as const;
export type RegistrationTokenStatus = (typeof registrationTokenStatuses)[number];

/** Returns the current status. An ACTIVE token past its expiry is EXPIRED even before the sweep. */
export function currentTokenStatus(
  token: { status: RegistrationTokenStatus; expiresAt: number | null },
  now: number,
): RegistrationTokenStatus {
  const past = token.expiresAt !== null && token.expiresAt <= now;
  return token.status === "ACTIVE" && past ? "EXPIRED" : token.status;
}

/** A registration token as the database stores it. Times are Unix milliseconds. */
export interface RegistrationToken {
  id: string;
  name: string | null;
  /** The agents that can use the token: a code, or a prefix followed by `*`. Null for any agent. */
  agentCode: string | null;
  /**
   * Whether the token can register an agent under an online agent's code, which revokes the old
   * agent's token.
   */
  replace: boolean;
  status: RegistrationTokenStatus;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  usedByAgentId: string | null;
  revokedAt: number | null;
}
