// A server that cannot be reached for a while, because it restarts, or that wants fewer requests, does not end
// a wait: what only reads is asked again, later and later, until the time of the wait is over.

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../client/client.ts";
import { Unreachable, Untrusted } from "../../client/unreachable.ts";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import type { Io } from "../terminal/io.ts";
import { type NoteOptions, noteLine } from "../terminal/notes.ts";
import type { Progress } from "../terminal/progress.ts";

const firstPauseMs = 250;
const longestPauseMs = 2000;

export interface WaitBounds {
  io: Io;
  api: Client;
  signal: AbortSignal;
  /** How what is noted is written. */
  options: NoteOptions;
  /** When the wait is over, on the clock of `io`. */
  deadline: number;
  progress: Progress;
}

/**
 * Returns a way to read that outlasts outages: it rejects with what `read` throws, but with what passes only
 * when the server has not answered this command before (one that was never there is not waited for), or
 * when the deadline has passed. The first of them is noted on stderr.
 */
export function outlastOutages({ io, api, signal, options, deadline, progress }: WaitBounds) {
  let isNoted = false;
  return async <T>(read: () => Promise<T>): Promise<T> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await read();
      } catch (error) {
        const leftMs = deadline - io.now();
        if (!isPassing(error) || !api.reached || leftMs <= 0) throw error;
        if (!isNoted) {
          progress.hide();
          const message = `${error.message.replace(/\.$/, "")}; trying again until the wait is over.`;
          noteLine(io, options, "TRYING_AGAIN", message);
        }
        isNoted = true;
        const wantedMs = wantedPauseMs(error);
        progress.say(
          `waiting for the server to ${wantedMs === null ? "be there" : "answer"} again`,
        );
        await pause(Math.min(wantedMs ?? pauseMs, leftMs), undefined, { signal }).catch(() => {
          throw signal.reason;
        });
      }
    }
  };
}

/**
 * Nobody answers, or somebody says that it does not answer now: a proxy before the server, too, and a server
 * to which too many requests are made with one credential.
 */
export function isPassing(error: unknown): error is Unreachable | AppError {
  if (error instanceof Untrusted) return false;
  if (error instanceof Unreachable) return true;
  return error instanceof AppError && passingCodes.includes(error.code);
}

const passingCodes: readonly string[] = ["UNAVAILABLE", "RATE_LIMITED"] satisfies ErrorCode[];

/** How long a server that wants fewer requests says that it wants none; null when it does not say. */
function wantedPauseMs(error: Unreachable | AppError): number | null {
  if (error instanceof Unreachable || error.code !== "RATE_LIMITED") return null;
  return error.retryAfterSeconds === undefined ? null : error.retryAfterSeconds * 1000;
}
