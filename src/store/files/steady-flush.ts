// Flushes a file to disk in small steps while this thread writes it. Otherwise the system collects
// gigabytes and writes them at once, and each flush of the database's log waits for that.

import { closeSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** The pause between two flushes. Each flush then writes few megabytes. */
const pauseMs = 5;

/** The text of the thread, because a packaged program has no file for it. */
const flushUntilStopped = `
const { fdatasyncSync } = require("node:fs");
const { descriptor, stopped, pauseMs } = require("node:worker_threads").workerData;
let isLast;
do {
  isLast = Atomics.wait(stopped, 0, 0, pauseMs) !== "timed-out";
  fdatasyncSync(descriptor);
} while (!isLast);
`;

/** Runs `write`, which may block. Rejects with its error, or with that of a flush. */
export async function flushedSteadily(file: string, write: () => void): Promise<void> {
  const descriptor = openSync(file, "r+");
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { descriptor, stopped, pauseMs };
  const thread = new Worker(flushUntilStopped, { eval: true, workerData });
  const ended = new Promise<void>((resolve, reject) => {
    thread.once("error", reject).once("exit", () => resolve());
  });
  try {
    write();
  } finally {
    Atomics.store(stopped, 0, 1);
    Atomics.notify(stopped, 0);
    await ended.finally(() => closeSync(descriptor));
  }
}
