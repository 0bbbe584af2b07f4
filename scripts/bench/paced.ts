// Sends requests at a fixed rate, whatever the server does. Workers take turns. A worker that is
// still busy when its turn comes begins late, and the delay counts, as it would for a real client.

import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** `from` is when the job was due if its worker was busy then, and otherwise when it began. */
export type Job<Worker> = (worker: Worker, from: number) => Promise<void>;

export interface Pace {
  perSecond: number;
  seconds: number;
}

/** Rejects with the first error of a job. */
export async function paced<Worker>(
  workers: readonly Worker[],
  { perSecond, seconds }: Pace,
  job: Job<Worker>,
  signal: AbortSignal,
): Promise<void> {
  const failure = new AbortController();
  const ended = AbortSignal.any([signal, failure.signal]);
  const stepMs = 1000 / perSecond;
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  await Promise.all(
    workers.map(async (worker, i) => {
      const firstDue = startedAt + i * stepMs;
      for (let due = firstDue; due < endAt; due += workers.length * stepMs) {
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait, undefined, { signal: ended });
        else ended.throwIfAborted();
        const wasBusy = wait <= 0 && due > firstDue;
        await job(worker, wasBusy ? due : performance.now());
      }
    }),
  ).catch((error: unknown) => {
    failure.abort();
    throw error;
  });
}
