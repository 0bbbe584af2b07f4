// What the agent knows about commands, on disk: an append-only file of JSON lines, mode 0600, on disk
// before a handler starts and before a result is sent. An id that is in it never runs again. It is
// rewritten when it starts, when it has grown, and when it closes; what is over and acknowledged is
// remembered for a day, or 10,000 commands.

import { type FileHandle, readFile } from "node:fs/promises";
import { AgentError, messageOf } from "../connection/errors.ts";
import type { CommandResult } from "./commands.ts";
import { openForAppending, replaceFile } from "./durable-file.ts";
import {
  type JournalEntry,
  type KeptCommand,
  lineOf,
  readEntries,
  received,
  stepOf,
} from "./journal-records.ts";

/** As long as the longest action may take. */
const rememberMs = 24 * 60 * 60 * 1000;
const rememberCount = 10_000;

interface Write {
  text: string;
  durable: boolean;
  done: (error?: unknown) => void;
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
  #queue: Write[] = [];
  #writing: Promise<void> | null = null;
  /** Lines that could not be read when it was opened. */
  readonly damagedLines: number;

  private constructor(path: string, text: string, growthBytes: number) {
    this.#path = path;
    this.#growthBytes = growthBytes;
    const { entries, damagedLines } = readEntries(text, Date.now());
    this.#entries = entries;
    this.damagedLines = damagedLines;
  }

  /** Reads and tidies the file, or makes it. Throws AgentError STATE_UNUSABLE. */
  static async open(path: string, growthBytes = 1024 * 1024): Promise<Journal> {
    try {
      const journal = new Journal(path, await textOf(path), growthBytes);
      await journal.#compact();
      return journal;
    } catch (error) {
      throw new AgentError("STATE_UNUSABLE", `Cannot use ${path}: ${messageOf(error)}.`, error);
    }
  }

  find(id: string): JournalEntry | undefined {
    return this.#entries.get(id);
  }

  /** Commands that the server still waits for, oldest first. */
  inHand(): JournalEntry[] {
    return [...this.#entries.values()].filter(({ state }) => state !== "acknowledged");
  }

  /**
   * On disk when it resolves: only then may a handler start. When it rejects, the ids are still
   * known until the process ends.
   */
  received(commands: KeptCommand[]) {
    const entries = commands.map((command) => received(command, Date.now()));
    for (const entry of entries) this.#entries.set(entry.id, entry);
    return this.#append(entries.map(lineOf).join(""), true);
  }

  /**
   * Commands that are never started, each on disk with its result when it resolves. Each is one line: a
   * crash cannot leave one that looks as if it had been started.
   */
  refused(commands: KeptCommand[], result: CommandResult) {
    const entries = commands.map((command): JournalEntry => {
      return { ...received(command, Date.now()), state: "finished", result };
    });
    for (const entry of entries) this.#entries.set(entry.id, entry);
    return this.#append(entries.map(lineOf).join(""), true);
  }

  /** On disk when it resolves. A second result of the same command takes the first one's place. */
  finished(id: string, result: CommandResult): Promise<void> {
    return this.#step(id, (entry) => ({ ...entry, state: "finished", result }), true);
  }

  /** May be lost in a crash: then the result is sent once more, which does no harm. */
  async acknowledged(id: string): Promise<void> {
    if (holdsOneTimeSecret(this.find(id)?.result)) this.#tidySoon = true;
    await this.#step(id, ({ result: _, ...rest }) => ({ ...rest, state: "acknowledged" }), false);
  }

  /** Waits for what is being written, tidies, and ends. Rejects when the disk does not take it. */
  async close(): Promise<void> {
    await this.#append("", false);
    await this.#compact();
  }

  #step(id: string, change: (entry: JournalEntry) => JournalEntry, durable: boolean) {
    const entry = this.find(id);
    if (!entry) return Promise.resolve();
    const changed = change(entry);
    this.#entries.set(id, changed);
    return this.#append(stepOf(changed), durable);
  }

  #append(text: string, durable: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error));
      this.#queue.push({ text, durable, done });
      this.#writing ??= this.#drain();
    });
  }

  /** All that waits is written together: one flush to disk pays for it. */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      const failure = await this.#write(batch).then(
        () => undefined,
        (error: unknown) => error ?? new Error("unknown"),
      );
      for (const { done } of batch) done(failure);
    }
    this.#writing = null;
  }

  async #write(batch: Write[]): Promise<void> {
    const text = (this.#torn ? "\n" : "") + batch.map((write) => write.text).join("");
    this.#torn = true;
    this.#file ??= await openForAppending(this.#path);
    await this.#file.appendFile(text);
    if (batch.some((write) => write.durable)) await this.#file.datasync();
    this.#torn = false;
    this.#writtenBytes += Buffer.byteLength(text);
    const hasGrown = this.#writtenBytes > Math.max(this.#growthBytes, this.#compactedBytes);
    // What was to be written is written: when tidying fails, it is tried again at the next write.
    if (hasGrown || this.#tidySoon) await this.#compact().catch(() => undefined);
  }

  async #compact(): Promise<void> {
    this.#forget();
    const text = [...this.#entries.values()].map(lineOf).join("");
    // Closed first: whether the file is replaced or not, the next write goes to the one that counts.
    await this.#file?.close();
    this.#file = null;
    await replaceFile(this.#path, text);
    this.#tidySoon = false;
    this.#compactedBytes = Buffer.byteLength(text);
    this.#writtenBytes = 0;
  }

  #forget(): void {
    const over = [...this.#entries.values()].filter(({ state }) => state === "acknowledged");
    const oldest = Date.now() - rememberMs;
    for (const [index, { id, at }] of over.entries()) {
      if (at < oldest || over.length - index > rememberCount) this.#entries.delete(id);
    }
  }
}

/** Such a result is removed from the disk as soon as the server has it. */
function holdsOneTimeSecret(result: CommandResult | undefined): boolean {
  const output = result?.success ? result.output : undefined;
  return typeof output === "object" && output !== null && "generatedKey" in output;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
