// Keeps the commands that pages follow. Only one read of a finished command returns its one-time
// secret, so all reads happen here: they never overlap and are never aborted.

import { useCallback, useSyncExternalStore } from "react";
import { hasEnded } from "../../domain/commands/commands.ts";
import { isJsonObject } from "../../domain/payload/json.ts";
import { call, type Reply } from "./call.ts";

export type Command = Reply<"commands.get">;
export type CommandSummary = Reply<"commands.list">[number];

const redacted = "[REDACTED]";

export interface CommandState {
  /** The command without its secret. Null until the command has been read. */
  command: Command | null;
  secret: string | null;
  error: unknown;
}

interface Entry {
  state: CommandState;
  readonly listeners: Set<() => void>;
  reading: Promise<void> | null;
  /** Another read was requested after the current one began. */
  readAgain: boolean;
}

/** How long to keep a secret that no page has shown. The server has the same limit. */
const unseenSecretMs = 300_000;

const nothing: CommandState = { command: null, secret: null, error: null };
const entries = new Map<string, Entry>();

export function commandState(id: string): CommandState {
  return entries.get(id)?.state ?? nothing;
}

/** Returns a function that removes the listener. A command without listeners is forgotten. */
export function watchCommand(id: string, listener: () => void): () => void {
  const entry = entryOf(id);
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    // React may unmount a page and immediately mount it again.
    setTimeout(() => {
      if (entry.listeners.size === 0 && entry.reading === null) forget(id, entry);
    });
  };
}

/** Follows the command. Reads nothing itself. */
export function useCommandState(id: string | null): CommandState {
  const watch = useCallback(
    (listener: () => void) => (id === null ? () => undefined : watchCommand(id, listener)),
    [id],
  );
  return useSyncExternalStore(watch, () => (id === null ? nothing : commandState(id)));
}

/** Waits up to `wait` seconds for the command to end. Stores an error in the state. */
export function readCommand(id: string, wait = 0): Promise<void> {
  const entry = entryOf(id);
  if (entry.reading !== null) {
    entry.readAgain = true;
    return entry.reading;
  }
  entry.reading = read(id, entry, wait).finally(() => {
    const isDue = entry.readAgain && entry.listeners.size > 0 && entries.get(id) === entry;
    entry.reading = null;
    entry.readAgain = false;
    if (isDue) void readCommand(id);
  });
  return entry.reading;
}

/** Updates a command from a summary. If it has ended, reads it: summaries have no result. */
export function noteCommand(summary: CommandSummary): void {
  const entry = entries.get(summary.id);
  if (!entry) return;
  const { command } = entry.state;
  if (hasEnded(summary.status)) {
    if (!command || !hasEnded(command.status)) void readCommand(summary.id);
  } else if (command && progress(summary) > progress(command)) {
    become(entry, { ...entry.state, command: { ...command, ...summary } });
  }
}

export function forgetCommands(): void {
  entries.clear();
}

async function read(id: string, entry: Entry, wait: number): Promise<void> {
  let secret: string | null = null;
  try {
    const found = await call("commands.get", { params: { commandId: id }, query: { wait } });
    const { command, secret: foundSecret } = withoutSecret(found);
    secret = foundSecret;
    const known = entry.state.command;
    const isOlder = known && hasEnded(known.status) && !hasEnded(command.status);
    if (!isOlder) become(entry, { command, secret: secret ?? entry.state.secret, error: null });
  } catch (error) {
    become(entry, { ...entry.state, error });
  }
  if (entry.listeners.size > 0) return;
  if (secret === null) forget(id, entry);
  else setTimeout(() => entry.listeners.size === 0 && forget(id, entry), unseenSecretMs);
}

/** Separates the secret from the result, so that no view of the result shows it. */
function withoutSecret(command: Command): { command: Command; secret: string | null } {
  const { result } = command;
  const output = result?.output;
  if (!result || !isJsonObject(output)) return { command, secret: null };
  const { generatedKey } = output;
  if (typeof generatedKey !== "string" || generatedKey === redacted) {
    return { command, secret: null };
  }
  const shown = { ...result, output: { ...output, generatedKey: redacted } };
  return { command: { ...command, result: shown }, secret: generatedKey };
}

export function hadSecret(command: Command): boolean {
  const output = command.result?.output;
  return isJsonObject(output) && output.generatedKey === redacted;
}

/** Ranks how far a command is: PENDING comes first, then more deliveries rank higher. */
function progress({ status, deliveries }: CommandSummary): number {
  return (status === "PENDING" ? 0 : 1_000) + deliveries;
}

function entryOf(id: string): Entry {
  const known = entries.get(id);
  if (known) return known;
  const entry: Entry = { state: nothing, listeners: new Set(), reading: null, readAgain: false };
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
