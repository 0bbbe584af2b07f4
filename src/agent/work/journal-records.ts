// The lines of the journal: what is written for a command at each step, and how they are read back,
// also after a crash in the middle of one. Nothing here touches a file.

import type { CommandType } from "../../domain/commands.ts";
import type { CommandResult, DeliveredCommand } from "./commands.ts";

/** `received`: its handler may have started. `acknowledged`: the server wants no more of it. */
export type EntryState = "received" | "finished" | "acknowledged";

export interface JournalEntry {
  id: string;
  state: EntryState;
  /** When it was received, Unix milliseconds. */
  at: number;
  type: CommandType;
  serviceCode: string;
  action: string;
  /** While it is `finished`. */
  result?: CommandResult;
}

type Line = { id: string; state: EntryState } & Partial<JournalEntry>;

/** What the journal keeps of a command. */
export type KeptCommand = Pick<DeliveredCommand, "id" | "type" | "serviceCode" | "action">;

export function received(command: KeptCommand, at: number): JournalEntry {
  const { id, type, serviceCode, action } = command;
  return { id, state: "received", at, type, serviceCode, action };
}

/** One line, whole: enough to rebuild the entry. The id comes first: it survives most damage. */
export function lineOf(entry: JournalEntry): string {
  const { id, state, ...rest } = entry;
  return `${JSON.stringify({ id, state, ...rest })}\n`;
}

/** A later line about an entry that is in the journal already. */
export function stepOf({ id, state, result }: JournalEntry): string {
  return `${JSON.stringify(result === undefined ? { id, state } : { id, state, result })}\n`;
}

/**
 * The entries of a journal, oldest first. A torn last line is forgotten: it was never acted upon. A
 * damaged line elsewhere counts as `received`, if its id can be read: it may have been.
 */
export function readEntries(
  text: string,
  now: number,
): { entries: Map<string, JournalEntry>; damagedLines: number } {
  const entries = new Map<string, JournalEntry>();
  const lines = text.split("\n");
  let damagedLines = 0;
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const isLast = index === lines.length - 1;
    const read = parsed(line);
    if (!read) damagedLines++;
    const step = read ?? (isLast ? null : salvaged(line));
    if (!step) continue;
    const before = entries.get(step.id);
    entries.set(step.id, before ? merged(before, step) : { ...unknownAt(now, step.id), ...step });
  }
  return { entries, damagedLines };
}

function parsed(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Line;
    return typeof line.id === "string" && states.has(line.state) ? line : null;
  } catch {
    return null;
  }
}

const states = new Set<unknown>(["received", "finished", "acknowledged"]);

function salvaged(text: string): Line | null {
  const id = /"id":"(cmd_[0-9A-Z]{26})"/.exec(text)?.[1];
  return id === undefined ? null : { id, state: "received" };
}

/** For what a line does not say, of a command whose first line is gone. */
function unknownAt(now: number, id: string): JournalEntry {
  const state = "received";
  return { id, state, at: now, type: "ACTION_EXECUTE", serviceCode: "?", action: "?" };
}

/** An entry only moves on: a salvaged line does not take back what an earlier one said. */
function merged(before: JournalEntry, step: Line): JournalEntry {
  const { result: _, ...known } = before;
  if (step.state === "received")
    return before.state === "received" ? { ...known, ...step } : before;
  const result = step.state === "finished" ? step.result : undefined;
  return { ...known, state: step.state, ...(result ? { result } : {}) };
}
