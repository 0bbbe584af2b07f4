// Registration tokens: single-use invitations for one agent.
// EXPIRED is written by the sweep.

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

/** The status at this moment: an ACTIVE token past its time is EXPIRED before the sweep says so. */
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
  /** The agents that it lets in: a code, or the beginning of one and a `*`. Null: any. */
  agentCode: string | null;
  /** It also lets an agent take over a code whose current agent is online, and ends that one's token. */
  replace: boolean;
  status: RegistrationTokenStatus;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  usedByAgentId: string | null;
  revokedAt: number | null;
}
