// The replay of a window of events: its progress, and its result, which is added up page by page.

import type { MatchOutcome } from "./bus-events.ts";

/** Times are Unix milliseconds. */
export interface ReplayCursor {
  /** The end of the window. Events that arrive later do not move it. */
  before: number;
  /** The last event that was evaluated. */
  after: { receivedAt: number; id: string };
}

export const replayCursorForm = /^(\d{1,15})\.(\d{1,15})\.(bev_\w{1,40})$/;

export function writeReplayCursor({ before, after }: ReplayCursor): string {
  return `${before}.${after.receivedAt}.${after.id}`;
}

/** The text must match `replayCursorForm`. */
export function readReplayCursor(text: string): ReplayCursor {
  const [, before, receivedAt, id = ""] = replayCursorForm.exec(text) ?? [];
  return { before: Number(before), after: { receivedAt: Number(receivedAt), id } };
}

export interface Verdict {
  matched: boolean;
  /** Null if the event does not match. */
  outcome: MatchOutcome | null;
  reason: string | null;
  /** The outcome when the event arrived; null if there was none, or if the route is not saved. */
  recorded: { outcome: MatchOutcome } | null;
}

export interface OutcomeCounts {
  commands: number;
  dryRuns: number;
  failed: number;
}

export interface ReplaySummary extends OutcomeCounts {
  /** The number of events that were evaluated. */
  events: number;
  matched: number;
  /**
   * Why commands would fail: the first `maxReasons` reasons. `failed` counts events with other
   * reasons, too.
   */
  reasons: { reason: string; count: number }[];
  /** The outcomes of these events when they arrived; null if the route is not saved. */
  recorded: OutcomeCounts | null;
}

/** Limited because reasons may quote the event, and can therefore differ for each event. */
export const maxReasons = 20;

export function emptySummary(isSaved: boolean): ReplaySummary {
  const recorded = isSaved ? noOutcomes() : null;
  return { events: 0, matched: 0, ...noOutcomes(), reasons: [], recorded };
}

export function countEvent(summary: ReplaySummary, verdict: Verdict): void {
  summary.events++;
  if (verdict.matched) summary.matched++;
  if (verdict.outcome) summary[countOf[verdict.outcome]]++;
  if (verdict.reason !== null) countReason(summary, verdict.reason, 1);
  if (summary.recorded && verdict.recorded) summary.recorded[countOf[verdict.recorded.outcome]]++;
}

export function addSummary(summary: ReplaySummary, page: ReplaySummary): void {
  summary.events += page.events;
  summary.matched += page.matched;
  addOutcomes(summary, page);
  for (const { reason, count } of page.reasons) countReason(summary, reason, count);
  if (summary.recorded && page.recorded) addOutcomes(summary.recorded, page.recorded);
}

const countOf = {
  COMMAND_CREATED: "commands",
  DRY_RUN: "dryRuns",
  FAILED: "failed",
} as const satisfies Record<MatchOutcome, keyof OutcomeCounts>;

function noOutcomes(): OutcomeCounts {
  return { commands: 0, dryRuns: 0, failed: 0 };
}

function addOutcomes(to: OutcomeCounts, more: OutcomeCounts): void {
  for (const name of Object.values(countOf)) to[name] += more[name];
}

function countReason({ reasons }: ReplaySummary, reason: string, count: number): void {
  const known = reasons.find((each) => each.reason === reason);
  if (known) known.count += count;
  else if (reasons.length < maxReasons) reasons.push({ reason, count });
}
