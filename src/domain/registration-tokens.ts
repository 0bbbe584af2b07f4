// Registration tokens: each registers one agent, once. The sweep writes the status EXPIRED.

/** What the audit trail records of registration tokens. */
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

/** The current status: an ACTIVE token past its expiry is EXPIRED even before the sweep. */
export function currentTokenStatus(
  token: { status: RegistrationTokenStatus; expiresAt: number | null },
  now: number,
): RegistrationTokenStatus {
  const past = token.expiresAt !== null && token.expiresAt <= now;
  return token.status === "ACTIVE" && past ? "EXPIRED" : token.status;
}

/** A registration token as it is stored. Times are Unix milliseconds. */
export interface RegistrationToken {
  id: string;
  name: string | null;
  /** The agents that it admits: a code, or the beginning of one followed by `*`. Null for any. */
  agentCode: string | null;
  /** Whether it can take over the code of an online agent, which ends that agent's token. */
  replace: boolean;
  status: RegistrationTokenStatus;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  usedByAgentId: string | null;
  revokedAt: number | null;
}
