// Why a service of a report is not taken: it belongs to another agent, or the agent has too many.

export const rejectionReasons = ["SERVICE_CODE_TAKEN", "SERVICE_LIMIT_REACHED"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** As the agent is told. */
export interface RejectedService {
  code: string;
  reason: RejectionReason;
  /** The agent that has the service; null when there is none. */
  agentCode: string | null;
}

export interface RefusedService {
  /** Null when there is no such service yet. */
  serviceId: string | null;
  rejected: RejectedService;
}
