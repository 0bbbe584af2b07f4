// Each registration token registers one agent, once.

import type { Labels } from "./labels.ts";

export const registrationTokenStatuses = ["ACTIVE", "USED", "REVOKED", "EXPIRED"] as const;
export type RegistrationTokenStatus = (typeof registrationTokenStatuses)[number];

/** An ACTIVE token past its expiry is EXPIRED, even before the maintenance sweep stores that. */
export function currentTokenStatus(
  token: { status: RegistrationTokenStatus; expiresAt: number | null },
  now: number,
): RegistrationTokenStatus {
  const past = token.expiresAt !== null && token.expiresAt <= now;
  return token.status === "ACTIVE" && past ? "EXPIRED" : token.status;
}

/** Times are Unix milliseconds. */
export interface RegistrationToken {
  id: string;
  name: string | null;
  /** A code, or a prefix followed by `*`; null for any agent. */
  agentCode: string | null;
  /** Whether the token can take over the code of an online agent, whose token is then revoked. */
  replace: boolean;
  /** The labels that the token assigns to the agent that registers with it. */
  labels: Labels;
  /** Whether an owner created the token. */
  ownerMade: boolean;
  status: RegistrationTokenStatus;
  createdBy: string | null;
  createdAt: number;
  expiresAt: number | null;
  usedAt: number | null;
  usedByAgentId: string | null;
  /** Null if no agent has used the token, or if that agent was deleted. */
  usedByAgentCode: string | null;
  revokedAt: number | null;
}
