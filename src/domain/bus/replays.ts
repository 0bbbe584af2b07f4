// The replay of a window of events: how far it has come, and what it comes to, added up page by page.

import type { MatchOutcome } from "./bus-events.ts";

/** How far a replay has come; times in Unix milliseconds. */
export interface ReplayCursor {
  /** Where the window ends, whatever comes in meanwhile. */
  before: number;
  /** The last event that was looked at. */
  after: { receivedAt: number; id: string };
}

/** A cursor as text: three parts with dots between. */
export const replayCursorForm = /^(\d{1,15})\.(\d{1,15})\.(bev_\w{1,40})$/;

export function writeReplayCursor({ before, after }: ReplayCursor): string {
  return `${before}.${after.receivedAt}.${after.id}`;
}

/** The text must have the form. */
export function readReplayCursor(text: string): ReplayCursor {
  const [, before, receivedAt, id = ""] = replayCursorForm.exec(text) ?? [];
  return { before: Number(before), after: { receivedAt: Number(receivedAt), id } };
}

/** What a summary counts of one event. */
export interface Verdict {
  matched: boolean;
  /** Null when it does not match. */
  outcome: MatchOutcome | null;
  reason: string | null;
  /** What really came of it when it came in; null when nothing did, or the route is not saved. */
  recorded: { outcome: MatchOutcome } | null;
}

export interface OutcomeCounts {
  commands: number;
  dryRuns: number;
  failed: number;
}

export interface ReplaySummary extends OutcomeCounts {
  /** All that were looked at. */
  events: number;
  matched: number;
  /** Why they would fail; at most `maxReasons`, those that came first. `failed` counts the others too. */
  reasons: { reason: string; count: number }[];
  /** What really came of these events at the route; null when it is not saved. */
  recorded: OutcomeCounts | null;
}

/** A reason may quote the event, and so be another one for each. */
export const maxReasons = 20;

export function emptySummary(isSaved: boolean): ReplaySummary {
  const recorded = isSaved ? noOutcomes() : null;
  return { events: 0, matched: 0, ...noOutcomes(), reasons: [], recorded };
}

/** Adds one event to a summary. */
export function countEvent(summary: ReplaySummary, verdict: Verdict): void {
  summary.events++;
  if (verdict.matched) summary.matched++;
  if (verdict.outcome) summary[countOf[verdict.outcome]]++;
  if (verdict.reason !== null) countReason(summary, verdict.reason, 1);
  if (summary.recorded && verdict.recorded) summary.recorded[countOf[verdict.recorded.outcome]]++;
}

/** Adds what a later page counted to a summary. */
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
  to.commands += more.commands;
  to.dryRuns += more.dryRuns;
  to.failed += more.failed;
}

function countReason({ reasons }: ReplaySummary, reason: string, count: number): void {
  const known = reasons.find((each) => each.reason === reason);
  if (known) known.count += count;
  else if (reasons.length < maxReasons) reasons.push({ reason, count });
}
