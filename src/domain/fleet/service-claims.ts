export const rejectionReasons = ["SERVICE_CODE_TAKEN", "SERVICE_LIMIT_REACHED"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export interface RejectedService {
  code: string;
  reason: RejectionReason;
  /** The agent that owns the service, or null. */
  agentCode: string | null;
}

export interface RefusedService {
  /** Null if the service does not exist. */
  serviceId: string | null;
  rejected: RejectedService;
}
