// Why the server refuses a reported service: it belongs to another agent, or the agent has too
// many.

export const rejectionReasons = ["SERVICE_CODE_TAKEN", "SERVICE_LIMIT_REACHED"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** A refused service as the response reports it to the agent. */
export interface RejectedService {
  code: string;
  reason: RejectionReason;
  /** The agent that the service belongs to; null if it has none. */
  agentCode: string | null;
}

export interface RefusedService {
  /** The id of the service; null if the service does not exist. */
  serviceId: string | null;
  rejected: RejectedService;
}
