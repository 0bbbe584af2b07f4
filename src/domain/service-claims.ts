// Why a reported service is refused: it belongs to another agent, or the agent has too many.

export const rejectionReasons = ["SERVICE_CODE_TAKEN", "SERVICE_LIMIT_REACHED"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** As the response reports it to the agent. */
export interface RejectedService {
  code: string;
  reason: RejectionReason;
  /** The agent that the service belongs to; null without one. */
  agentCode: string | null;
}

export interface RefusedService {
  /** Null if the service does not exist. */
  serviceId: string | null;
  rejected: RejectedService;
}
