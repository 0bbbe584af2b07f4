// The last report of each agent. An unchanged report gets the same response without a read, except
// that refused services are checked again.

import type { RefusedService } from "../../domain/fleet/service-claims.ts";
import type { EffectiveStatus } from "../../domain/fleet/services.ts";
import type { InvalidatedMap } from "../changes/invalidated-map.ts";

export interface ReportedStatus {
  id: string;
  code: string;
  status: EffectiveStatus;
  storedStatus: EffectiveStatus;
}

export interface TakenReport {
  services: ReportedStatus[];
  refused: RefusedService[];
}

export interface RememberedReport extends TakenReport {
  /** The fingerprint of the last body; null for a call in this process. */
  bodyFingerprint: string | null;
  /**
   * The fingerprint of the content. It is the same for bodies that differ only in their formatting.
   */
  fingerprint: string;
  serviceIds: string[];
}

export type ReportCache = InvalidatedMap<string, RememberedReport>;
