// One command, as the pages follow it. To read a finished command may hand out its one-time secret, once
// for ever: so each is read here and nowhere else, no read is broken off or made twice at a time, and what
// came with a secret stays in memory until a page that has shown it is left.

import { isJsonObject } from "../../domain/payload/json.ts";
import { call, type Reply } from "./call.ts";

export type Command = Reply<"commands.get">;
export type CommandSummary = Reply<"commands.list">[number];

/** What stands in a result for a secret that is not told (any more). */
export const redacted = "[REDACTED]";

export interface CommandState {
  /** Never with the secret in it. Null until it has been read. */
  command: Command | null;
  secret: string | null;
  error: unknown;
}

interface Entry {
  state: CommandState;
  readonly listeners: Set<() => void>;
  reading: Promise<void> | null;
  /** Something has happened since the reading began. */
  readAgain: boolean;
}

/** As long as the server would keep it for somebody who has not read it. */
const unseenSecretMs = 300_000;

const nothing: CommandState = { command: null, secret: null, error: null };
const entries = new Map<string, Entry>();

export function hasEnded({ status }: { status: Command["status"] }): boolean {
  return status !== "PENDING" && status !== "RUNNING";
}

export function commandState(id: string): CommandState {
  return entries.get(id)?.state ?? nothing;
}

/** Tells of each change until the answered function is called; what is known is forgotten then. */
export function watchCommand(id: string, listener: () => void): () => void {
  const entry = entryOf(id);
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    // React takes a page away for a moment and puts it back: that is no leaving.
    setTimeout(() => {
      if (entry.listeners.size === 0 && entry.reading === null) forget(id, entry);
    });
  };
}

/** Reads it now, or once it has ended and at most `wait` seconds later. Never throws: see `state.error`. */
export function readCommand(id: string, wait = 0): Promise<void> {
  const entry = entryOf(id);
  if (entry.reading !== null) {
    entry.readAgain = true;
    return entry.reading;
  }
  entry.reading = read(id, entry, wait).finally(() => {
    entry.reading = null;
    if (entry.readAgain && entries.get(id) === entry) {
      entry.readAgain = false;
      void readCommand(id);
    }
  });
  return entry.reading;
}

/** What the live stream says of it. The end is read: the stream does not bring the result. */
export function noteCommand(summary: CommandSummary): void {
  const entry = entries.get(summary.id);
  if (!entry) return;
  const { command } = entry.state;
  if (hasEnded(summary)) {
    if (!command || !hasEnded(command)) void readCommand(summary.id);
  } else if (command && progress(summary) > progress(command)) {
    become(entry, { ...entry.state, command: { ...command, ...summary } });
  }
}

/** Somebody else will look at these pages. */
export function forgetCommands(): void {
  for (const [id, entry] of entries) forget(id, entry);
}

async function read(id: string, entry: Entry, wait: number): Promise<void> {
  try {
    const answer = await call("commands.get", { params: { commandId: id }, query: { wait } });
    const { command, secret } = withoutSecret(answer);
    if (entry.state.command && hasEnded(entry.state.command) && !hasEnded(command)) return;
    become(entry, { command, secret: secret ?? entry.state.secret, error: null });
    if (entry.listeners.size > 0) return;
    if (secret === null) forget(id, entry);
    else setTimeout(() => entry.listeners.size === 0 && forget(id, entry), unseenSecretMs);
  } catch (error) {
    become(entry, { ...entry.state, error });
  }
}

/** The secret apart from the answer, so that no view of the result shows it. */
export function withoutSecret(answer: Command): { command: Command; secret: string | null } {
  const output = answer.result?.output;
  if (!answer.result || !isJsonObject(output)) return { command: answer, secret: null };
  const { generatedKey } = output;
  if (typeof generatedKey !== "string" || generatedKey === redacted) {
    return { command: answer, secret: null };
  }
  const result = { ...answer.result, output: { ...output, generatedKey: redacted } };
  return { command: { ...answer, result }, secret: generatedKey };
}

/** Whether its result had a secret, told or not. */
export function hadSecret(command: Command): boolean {
  const output = command.result?.output;
  return isJsonObject(output) && output.generatedKey === redacted;
}

/** A command only goes on: RUNNING after PENDING, one delivery more. */
function progress({ status, deliveries }: CommandSummary): number {
  return (status === "PENDING" ? 0 : 1_000) + deliveries;
}

function entryOf(id: string): Entry {
  const known = entries.get(id);
  if (known) return known;
  const entry = {
    state: nothing,
    listeners: new Set<() => void>(),
    reading: null,
    readAgain: false,
  };
  entries.set(id, entry);
  return entry;
}

function forget(id: string, entry: Entry): void {
  if (entries.get(id) === entry) entries.delete(id);
}

function become(entry: Entry, state: CommandState): void {
  entry.state = state;
  for (const listener of entry.listeners) listener();
}
