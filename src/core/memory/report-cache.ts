// Each agent's last report, by agent. An unchanged report gets the same answer without a look at the database,
// except for services that were refused, which are checked again. Any other change to the agent's services
// invalidates the entry.

import type { RefusedService } from "../../domain/service-claims.ts";
import type { EffectiveStatus } from "../../domain/services.ts";
import type { InvalidatedMap } from "./invalidated-map.ts";

export interface ReportedStatus {
  id: string;
  code: string;
  status: EffectiveStatus;
  storedStatus: EffectiveStatus;
}

/** What became of a report. */
export interface TakenReport {
  services: ReportedStatus[];
  refused: RefusedService[];
}

export type ReportCache = InvalidatedMap<
  string,
  TakenReport & { fingerprint: string; serviceIds: string[] }
>;
