// Retries reads during a wait, so that the wait survives server restarts and rate limiting.

import type { Client } from "../../client/client.ts";
import { Unreachable, Untrusted } from "../../client/unreachable.ts";
import { AppError } from "../../domain/errors.ts";
import { pauseOrAborted } from "../../lib/time-limit.ts";
import type { Io } from "../terminal/io.ts";
import { type NoteOptions, noteLine } from "../terminal/notes.ts";
import type { Progress } from "../terminal/progress.ts";

const firstPauseMs = 250;
const longestPauseMs = 2000;

interface Wait {
  io: Io;
  api: Client;
  signal: AbortSignal;
  options: NoteOptions;
  /** A time of `performance.now()`. */
  deadline: number;
  progress: Progress;
}

/**
 * The returned function throws a temporary error only after the deadline, or if the server has
 * never responded to this command.
 */
export function outlastOutages({ io, api, signal, options, deadline, progress }: Wait) {
  let isNoted = false;
  return async <T>(read: () => Promise<T>): Promise<T> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await read();
      } catch (error) {
        const leftMs = deadline - performance.now();
        if (!isTemporary(error) || !api.reached || leftMs <= 0) throw error;
        if (!isNoted) {
          const message = `${error.message.replace(/\.$/, "")}; retrying until the wait is over.`;
          noteLine(io, options, "TRYING_AGAIN", message);
        }
        isNoted = true;
        const wantedMs = retryAfterMs(error);
        progress.say(
          `waiting for the server to ${wantedMs === null ? "come back" : "respond again"}`,
        );
        const restMs = Math.min(wantedMs ?? pauseMs, leftMs);
        await pauseOrAborted(restMs, signal);
      }
    }
  };
}

/** Returns true if the server or a proxy is unavailable, or limits the request rate. */
export function isTemporary(error: unknown): error is Unreachable | AppError {
  if (error instanceof Untrusted) return false;
  if (error instanceof Unreachable) return true;
  return error instanceof AppError && ["UNAVAILABLE", "RATE_LIMITED"].includes(error.code);
}

/** Returns null if the server does not limit the request rate, or does not say how long. */
export function retryAfterMs(error: Unreachable | AppError): number | null {
  if (error instanceof Unreachable || error.code !== "RATE_LIMITED") return null;
  return error.retryAfterSeconds === undefined ? null : error.retryAfterSeconds * 1000;
}
