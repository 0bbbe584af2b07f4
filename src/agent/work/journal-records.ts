import type { CommandType } from "../../domain/commands/commands.ts";
import type { CommandResult, DeliveredCommand } from "./commands.ts";

/** `received`: the handler may have started. `acknowledged`: the server has the result. */
type EntryState = "received" | "finished" | "acknowledged";

export interface JournalEntry {
  id: string;
  state: EntryState;
  /** The time in Unix milliseconds. */
  at: number;
  type: CommandType;
  serviceCode: string;
  action: string;
  result?: CommandResult;
}

type Line = { id: string; state: EntryState } & Partial<JournalEntry>;

export type KeptCommand = Pick<DeliveredCommand, "id" | "type" | "serviceCode" | "action">;

export function received(command: KeptCommand, at: number): JournalEntry {
  const { id, type, serviceCode, action } = command;
  return { id, state: "received", at, type, serviceCode, action };
}

/** The id comes first, so that it survives most damage. */
export function lineOf(entry: JournalEntry): string {
  const { id, state, ...rest } = entry;
  return `${JSON.stringify({ id, state, ...rest })}\n`;
}

/** Encodes a later state of an entry that the journal already has. */
export function stepOf({ id, state, result }: JournalEntry): string {
  return `${JSON.stringify(result === undefined ? { id, state } : { id, state, result })}\n`;
}

export interface Gap {
  /** How long agents have run since commands were found to be missing; null if none are. */
  incompleteForMs: number | null;
  /** Whether only commands from before the agent's registration can be missing. */
  isNew: boolean;
}

/** The first line. Because of it, an empty file is not mistaken for a journal without commands. */
export function headerOf({ incompleteForMs, isNew }: Gap): string {
  return `${JSON.stringify({ journal: 1, incompleteForMs, isNew })}\n`;
}

interface ReadJournal extends Gap {
  entries: Map<string, JournalEntry>;
  damagedLines: number;
}

/**
 * A damaged line counts as `received` if its id is readable. The journal then counts as incomplete:
 * even if only the last line is cut off, more lines may have been lost after it.
 */
export function readJournal(text: string, now: number): ReadJournal {
  const entries = new Map<string, JournalEntry>();
  let damagedLines = 0;
  let gap: Gap = { incompleteForMs: null, isNew: false };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const read = parsed(line);
    if (read && "journal" in read) {
      const { incompleteForMs, isNew } = read;
      gap = { incompleteForMs, isNew };
      continue;
    }
    if (!read) damagedLines++;
    const step = read ?? salvaged(line);
    if (!step) continue;
    const before = entries.get(step.id);
    entries.set(step.id, before ? merged(before, step) : { ...unknownAt(now, step.id), ...step });
  }
  if (damagedLines > 0) gap = { incompleteForMs: 0, isNew: false };
  return { entries, damagedLines, ...gap };
}

interface Header extends Gap {
  journal: number;
}

function parsed(text: string): Line | Header | null {
  try {
    const line = JSON.parse(text) as Line & Header;
    if (typeof line.journal === "number") {
      const { journal, incompleteForMs: ms, isNew } = line;
      return {
        journal,
        incompleteForMs: typeof ms === "number" ? ms : null,
        isNew: isNew === true,
      };
    }
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

function unknownAt(now: number, id: string): JournalEntry {
  const state = "received";
  return { id, state, at: now, type: "ACTION_EXECUTE", serviceCode: "?", action: "?" };
}

/** A state only advances: a salvaged line does not undo an earlier line. */
function merged(before: JournalEntry, step: Line): JournalEntry {
  const { result: _, ...known } = before;
  if (step.state === "received")
    return before.state === "received" ? { ...known, ...step } : before;
  const result = step.state === "finished" ? step.result : undefined;
  return { ...known, state: step.state, ...(result ? { result } : {}) };
}
