// A cache of each agent's last report: its fingerprint and the answer. An unchanged report gets the same answer
// without a look at the database, except for services that were refused, which are checked again. Any other change
// to the agent's services, and any change by another process, invalidates the entry.

import type { RefusedService } from "../../domain/service-claims.ts";
import type { EffectiveStatus } from "../../domain/services.ts";

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

interface Remembered extends TakenReport {
  fingerprint: string;
  serviceIds: string[];
}

export class ReportCache {
  readonly #reports = new Map<string, Remembered>();
  #generation = 0;

  get generation(): number {
    return this.#generation;
  }

  find(agentId: string, fingerprint: string): Remembered | null {
    const remembered = this.#reports.get(agentId);
    return remembered?.fingerprint === fingerprint ? remembered : null;
  }

  /** Remembers a report, unless something changed since `generation` was read. */
  remember(agentId: string, fingerprint: string, taken: TakenReport, generation: number): void {
    if (generation !== this.#generation) return;
    const serviceIds = taken.services.map((service) => service.id);
    this.#reports.set(agentId, { ...taken, fingerprint, serviceIds });
  }

  forgetAgent(agentId: string): void {
    this.#generation++;
    this.#reports.delete(agentId);
  }

  forget(): void {
    this.#generation++;
    this.#reports.clear();
  }
}
