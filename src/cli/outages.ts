// A server that cannot be reached for a while, because it restarts, does not end a wait: what only reads
// is asked again, later and later, until the time of the wait is over.

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../client/client.ts";
import { Unreachable, Untrusted } from "../client/unreachable.ts";
import { AppError } from "../domain/errors.ts";
import type { Io } from "./io.ts";
import type { Progress } from "./progress.ts";

const firstPauseMs = 250;
const longestPauseMs = 2000;

export interface WaitBounds {
  io: Io;
  api: Client;
  signal: AbortSignal;
  /** When the wait is over, on the clock of `io`. */
  deadline: number;
  progress: Progress;
}

/**
 * Returns a way to read that outlasts outages: it rejects with what `read` throws, but with an outage only
 * when the server has not answered this command before (one that was never there is not waited for), or
 * when the deadline has passed. The first outage is noted on stderr.
 */
export function outlastOutages({ io, api, signal, deadline, progress }: WaitBounds) {
  let isNoted = false;
  return async <T>(read: () => Promise<T>): Promise<T> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await read();
      } catch (error) {
        const leftMs = deadline - io.now();
        if (!isOutage(error) || !api.reached || leftMs <= 0) throw error;
        if (!isNoted) {
          progress.hide();
          io.note(`${error.message.replace(/\.$/, "")}; trying again until the wait is over.\n`);
        }
        isNoted = true;
        progress.say("waiting for the server to be there again");
        await pause(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => {
          throw signal.reason;
        });
      }
    }
  };
}

/** Nobody answers, or somebody says that it cannot answer now: a proxy before the server, too. */
export function isOutage(error: unknown): error is Unreachable | AppError {
  if (error instanceof Untrusted) return false;
  if (error instanceof Unreachable) return true;
  return error instanceof AppError && error.code === "UNAVAILABLE";
}
