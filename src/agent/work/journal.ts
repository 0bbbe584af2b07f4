// The agent's record of commands: an append-only file of JSON lines, flushed before a handler
// starts and before a result is sent. A command in the journal never runs again. If commands
// are missing from the file, its header says so until those commands must have ended.
// (docs/decisions/0006-command-delivery.md)

import type { FileHandle } from "node:fs/promises";
import { openForAppending, replaceFile } from "../../lib/files/private-file.ts";
import { readTextOrNull } from "../../lib/files/read-text.ts";
import { AgentError, messageOf } from "../connection/errors.ts";
import type { Emit } from "../events/events.ts";
import type { CommandResult } from "./commands.ts";
import {
  headerOf,
  type JournalEntry,
  type KeptCommand,
  lineOf,
  readJournal,
  received,
  stepOf,
} from "./journal-records.ts";

/** How long acknowledged commands are remembered. This is the longest timeout of an action. */
const rememberMs = 24 * 60 * 60 * 1000;
const rememberCount = 10_000;

export interface Opening {
  /** Whether the agent has never run before, so that no journal is expected. */
  isNew: boolean;
  growthBytes?: number;
}

/** Lines that are written together. */
interface Batch {
  text: string;
  durable: boolean;
  written: Promise<void>;
}

export class Journal {
  readonly #path: string;
  readonly #entries: Map<string, JournalEntry>;
  readonly #growthBytes: number;
  #file: FileHandle | null = null;
  #compactedBytes = 0;
  #writtenBytes = 0;
  #torn = false;
  #tidySoon = false;
  #batch: Batch | null = null;
  #writing: Promise<unknown> = Promise.resolve();
  #startedAt = performance.now();
  /** How long agents had run with an incomplete journal at `#startedAt`; null if it is complete. */
  #incompleteForMs: number | null;
  #isNew: boolean;
  readonly damagedLines: number;
  /** Whether there is no journal although the agent has run before. */
  readonly wasLost: boolean;

  private constructor(path: string, text: string, { isNew, growthBytes = 1024 * 1024 }: Opening) {
    this.#path = path;
    this.#growthBytes = growthBytes;
    const read = readJournal(text, Date.now());
    this.#entries = read.entries;
    this.damagedLines = read.damagedLines;
    this.wasLost = text === "" && !isNew;
    this.#incompleteForMs = text === "" ? 0 : read.incompleteForMs;
    this.#isNew = text === "" ? isNew : read.isNew;
  }

  /** Throws AgentError STATE_UNUSABLE. A full disk is no error here: commands are then refused. */
  static async open(path: string, opening: Opening): Promise<Journal> {
    try {
      const journal = new Journal(path, (await readTextOrNull(path)) ?? "", opening);
      await journal.#compact().catch((error: unknown) => {
        unlessFull(error);
        // The file may still contain a secret that the server has acknowledged.
        journal.#tidySoon = true;
      });
      return journal;
    } catch (error) {
      throw new AgentError("STATE_UNUSABLE", `Cannot use ${path}: ${messageOf(error)}.`, error);
    }
  }

  /** Whether the journal contains every unfinished command that the server may deliver again. */
  get isComplete(): boolean {
    return this.#isNew || this.knowsEarlier;
  }

  /**
   * Whether the journal contains every command that was delivered to this agent and may still be
   * unfinished. If not, an earlier program, perhaps on another host, may have received more.
   */
  get knowsEarlier(): boolean {
    const ms = this.#incompleteMs();
    return ms === null || ms > rememberMs;
  }

  /** Before its registration, other programs may have received the agent's commands. */
  registered(): Promise<void> {
    this.#startedAt = performance.now();
    this.#incompleteForMs = 0;
    this.#isNew = true;
    return this.#append("", true);
  }

  find(id: string): JournalEntry | undefined {
    return this.#entries.get(id);
  }

  /** Returns the commands whose results the server does not have yet, oldest first. */
  inHand(): JournalEntry[] {
    return [...this.#entries.values()].filter(({ state }) => state !== "acknowledged");
  }

  /**
   * Resolves when the commands are on disk; only then can their handlers start. After a rejection,
   * the ids remain known until the process ends.
   */
  received(commands: KeptCommand[]) {
    return this.#add(commands.map((command) => received(command, Date.now())));
  }

  /** Writes each command and its result in one line, so that no crash can separate them. */
  refused(commands: KeptCommand[], result: CommandResult) {
    const finished = { state: "finished", result } as const;
    return this.#add(commands.map((one) => ({ ...received(one, Date.now()), ...finished })));
  }

  /** A second result for a command replaces the first. */
  finished(id: string, result: CommandResult): Promise<void> {
    return this.#step(id, (entry) => ({ ...entry, state: "finished", result }), true);
  }

  /** A crash can lose this record. The result is then sent again, which is harmless. */
  async acknowledged(id: string): Promise<void> {
    if (holdsOneTimeSecret(this.find(id)?.result)) this.#tidySoon = true;
    await this.#step(id, ({ result: _, ...rest }) => ({ ...rest, state: "acknowledged" }), false);
  }

  /** Waits for pending writes. Rejects if the file cannot be written. */
  async close(): Promise<void> {
    await this.#append("", false);
    await this.#compact();
  }

  #add(entries: JournalEntry[]): Promise<void> {
    for (const entry of entries) this.#entries.set(entry.id, entry);
    return this.#append(entries.map(lineOf).join(""), true);
  }

  #step(id: string, change: (entry: JournalEntry) => JournalEntry, durable: boolean) {
    const entry = this.find(id);
    if (!entry) return Promise.resolve();
    const changed = change(entry);
    this.#entries.set(id, changed);
    return this.#append(stepOf(changed), durable);
  }

  #append(text: string, durable: boolean): Promise<void> {
    if (this.#batch === null) {
      const written = this.#writing.then(() => this.#write());
      this.#writing = written.catch(() => undefined);
      this.#batch = { text: "", durable: false, written };
    }
    this.#batch.text += text;
    this.#batch.durable ||= durable;
    return this.#batch.written;
  }

  async #write(): Promise<void> {
    const { text: lines = "", durable = false } = this.#batch ?? {};
    this.#batch = null;
    // Each write repeats the header, so that a crash loses little of the time in it.
    const header = this.#incompleteForMs === null ? "" : this.#header();
    const text = (this.#torn ? "\n" : "") + header + lines;
    this.#torn = true;
    this.#file ??= await openForAppending(this.#path);
    await this.#file.appendFile(text);
    if (durable) await this.#file.datasync();
    this.#torn = false;
    this.#writtenBytes += Buffer.byteLength(text);
    const hasGrown = this.#writtenBytes > Math.max(this.#growthBytes, this.#compactedBytes);
    if (!hasGrown && !this.#tidySoon) return;
    // The lines are on disk. If compacting fails, the next write tries again.
    await this.#compact().catch(() => {
      this.#tidySoon = true;
    });
  }

  async #compact(): Promise<void> {
    this.#forget();
    if (this.knowsEarlier) this.#incompleteForMs = null;
    const text = this.#header() + [...this.#entries.values()].map(lineOf).join("");
    // Reset before anything is awaited: a secret that is acknowledged later is still in the text.
    this.#tidySoon = false;
    // The next write must open the new file, even if closing fails.
    const file = this.#file;
    this.#file = null;
    await file?.close();
    await replaceFile(this.#path, text);
    this.#compactedBytes = Buffer.byteLength(text);
    this.#writtenBytes = 0;
  }

  #header(): string {
    return headerOf({ incompleteForMs: this.#incompleteMs(), isNew: this.#isNew });
  }

  /** Only time during which the agent ran counts, because the host's clock may be wrong. */
  #incompleteMs(): number | null {
    const before = this.#incompleteForMs;
    return before === null ? null : before + performance.now() - this.#startedAt;
  }

  #forget(): void {
    const over = [...this.#entries.values()].filter(({ state }) => state === "acknowledged");
    const oldest = Date.now() - rememberMs;
    for (const [index, { id, at }] of over.entries()) {
      if (at < oldest || over.length - index > rememberCount) this.#entries.delete(id);
    }
  }
}

/** Returns the message. */
export function emitJournalFailed(emit: Emit, error: unknown): string {
  const message = `Cannot write the journal: ${messageOf(error)}`;
  emit("error", message, { type: "journal.failed" });
  return message;
}

/** Ignores the error of a full disk, and throws any other. */
function unlessFull(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
}

/** A one-time secret is removed from the disk as soon as the server has it. */
function holdsOneTimeSecret(result: CommandResult | undefined): boolean {
  const output = result?.success ? result.output : undefined;
  return typeof output === "object" && output !== null && "generatedKey" in output;
}
