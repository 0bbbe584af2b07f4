// Keeps a live stream open: reconnects with increasing delays when it breaks.

import { AppError, type ErrorCode } from "../domain/errors.ts";
import type { StreamType } from "../domain/stream.ts";
import { pauseOrAborted } from "../lib/time-limit.ts";
import type { Client, MessageStream, StreamMessage } from "./client.ts";
import { ServerError } from "./failures.ts";
import { Unreachable } from "./unreachable.ts";

export type News =
  /** The stream is open, and `onOpen` has finished. */
  | { kind: "live" }
  | { kind: "message"; message: StreamMessage }
  /** The stream is not open; another attempt follows. */
  | { kind: "lost"; reason: string };

export interface WatchOptions {
  types: readonly StreamType[];
  /** Reads the current state each time the stream opens: the stream replays no missed messages. */
  onOpen: () => Promise<void>;
  /** Runs before the caller gets the message. An error that it throws breaks the stream. */
  onMessage?: (message: StreamMessage) => Promise<void>;
  signal: AbortSignal;
  /** Returns a number from 0 to 1. */
  random: () => number;
  /** The delay before the first reconnection attempt. */
  firstPauseMs?: number;
}

const maxPauseMs = 10_000;
/** A stream that has been open for this long counts as stable, and resets the delay. */
const settledMs = 5_000;

/** The codes of temporary failures. All other failures end the loop. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "UNAVAILABLE",
  "INTERNAL_ERROR",
  "RATE_LIMITED",
]);

/** Throws if the first connection fails, on a permanent error, and after an abort. */
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
      await pauseOrAborted(Math.max(pauseMs * (0.5 + random() / 2), leastPauseMs(error)), signal);
    } finally {
      clearTimeout(settled);
      stream?.close();
    }
  }
}

function passes(error: unknown): boolean {
  if (error instanceof AppError) return passing.has(error.code);
  // The response comes from a gateway that cannot reach the server.
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
