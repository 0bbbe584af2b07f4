// The live stream for as long as somebody wants it: opened again when it breaks off, later and later
// while that does not help. What happened meanwhile is not told again: `onOpen` reads it.

import { setTimeout as sleep } from "node:timers/promises";
import { AppError, type ErrorCode } from "../domain/errors.ts";
import type { StreamType } from "../domain/stream.ts";
import type { Client, MessageStream, StreamMessage } from "./client.ts";
import { ServerError } from "./failures.ts";
import { Unreachable } from "./unreachable.ts";

export type News =
  /** The stream is open, and what happened before is read. */
  | { kind: "live" }
  | { kind: "message"; message: StreamMessage }
  /** Not live any more, or still not; it will be tried again. */
  | { kind: "lost"; reason: string };

export interface WatchOptions {
  types: readonly StreamType[];
  /** Reads what there is, each time the stream is open and before its first message. */
  onOpen: () => Promise<void>;
  /** Hears each message before it is news. What it throws is taken as a failure of the stream. */
  onMessage?: (message: StreamMessage) => Promise<void>;
  signal: AbortSignal;
  /** From 0 to 1. */
  random: () => number;
  /** The first pause before it is tried again, in milliseconds. */
  firstPauseMs?: number;
}

const maxPauseMs = 10_000;
/** A stream that has lasted so long was a good one: the next pause is the first one again. */
const settledMs = 5_000;

/** Failures that pass by themselves; all others end the watching. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "UNAVAILABLE",
  "INTERNAL_ERROR",
  "RATE_LIMITED",
]);

/**
 * Ends only by throwing: what the first opening throws, what will not pass by itself (the credential is
 * not good any more), or the signal's reason. Must be read on, or left.
 */
export async function* keepWatching(
  client: Client,
  { types, onOpen, onMessage, signal, random, firstPauseMs = 250 }: WatchOptions,
): AsyncGenerator<News, never> {
  let isFirst = true;
  let failures = 0;
  while (true) {
    let stream: MessageStream | null = null;
    let settled: NodeJS.Timeout | undefined;
    try {
      stream = await client.watch({ types: types.join(",") }, { signal });
      await onOpen();
      isFirst = false;
      settled = setTimeout(() => {
        failures = 0;
      }, settledMs);
      yield { kind: "live" };
      for await (const message of stream) {
        await onMessage?.(message);
        yield { kind: "message", message };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isFirst || !passes(error)) throw error;
      stream?.close();
      yield { kind: "lost", reason: reasonOf(error) };
      const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(failures++, 10));
      await pause(Math.max(pauseMs * (0.5 + random() / 2), leastPauseMs(error)), signal);
    } finally {
      clearTimeout(settled);
      stream?.close();
    }
  }
}

function passes(error: unknown): boolean {
  if (error instanceof AppError) return passing.has(error.code);
  // A gateway's own words while the server behind it is away.
  if (error instanceof ServerError) return error.status >= 500;
  return error instanceof Unreachable;
}

function reasonOf(error: unknown): string {
  return error instanceof Unreachable ? error.reason : (error as Error).message;
}

function leastPauseMs(error: unknown): number {
  const seconds = error instanceof AppError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, maxPauseMs);
}

/** Throws the signal's reason when it is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
