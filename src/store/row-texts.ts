// Turns rows into long texts in the process that reads the rows. This is usually a reader process,
// so the event loop neither receives the rows nor builds the text.
// (docs/decisions/0021-reader-processes.md)

import {
  type AttentionRow,
  attentionGroupsOf,
  attentionMembersOf,
} from "../domain/fleet/attention-groups.ts";
import {
  type AgentState,
  agentSeries,
  type ServiceState,
  serviceSeries,
} from "../domain/fleet/fleet-series.ts";
import { type HealthCell, healthMapOf } from "../domain/fleet/health-map.ts";
import type { RowText } from "../domain/storage/reader-process.ts";

const writers: Record<RowText, (rows: unknown[]) => string> = {
  "health-map": (rows) => JSON.stringify(healthMapOf(rows as HealthCell[])),
  attention: (rows) => JSON.stringify(attentionGroupsOf(rows as AttentionRow[])),
  "attention-members": (rows) => JSON.stringify(attentionMembersOf(rows as AttentionRow[])),
  "service-series": (rows) => serviceSeries(rows as ServiceState[]),
  "agent-series": (rows) => agentSeries(rows as AgentState[]),
};

export function textOfRows(kind: RowText, rows: unknown[]): string {
  return writers[kind](rows);
}
