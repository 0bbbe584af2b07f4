// Repeats operators' questions in a process of its own. Receives an `AskerTask`, and later
// a request for an `AskerReport` of all responses.

import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../src/client/client.ts";
import { ask, type Question } from "./ask.ts";
import { clientOf } from "./fixtures.ts";

export interface AskerTask {
  port: number;
  key: string;
  /** Each list is repeated in order, at the same time as the others. */
  loops: Question[][];
}

export interface Answered {
  path: string;
  status: number;
  ms: number;
  bytes: number;
  /** The code and message of a response that is not 2xx, or the error of the connection. */
  refusal: { code: string; message: string } | null;
}

export interface AskerReport {
  answers: Answered[];
  /** The requests without a response so far, and how long ago they were sent. */
  waiting: { path: string; ms: number }[];
}

/** A viewer who is refused tries again, but not at once. */
const retryMs = 100;

const answers: Answered[] = [];
const waiting = new Set<{ path: string; since: number }>();

process.on("message", (message: AskerTask | { report: true }) => {
  if ("report" in message) process.send?.(report());
  else {
    const client = clientOf(message.port, message.key);
    for (const loop of message.loops) void repeat(client, loop);
  }
});
process.on("disconnect", () => process.exit());

function report(): AskerReport {
  const now = performance.now();
  return { answers, waiting: [...waiting].map(({ path, since }) => ({ path, ms: now - since })) };
}

async function repeat(client: Client, questions: Question[]): Promise<void> {
  for (let i = 0; ; i = (i + 1) % questions.length) {
    const answer = await answerTo(client, questions[i] as Question);
    answers.push(answer);
    if (answer.refusal) await sleep(retryMs);
  }
}

async function answerTo(client: Client, question: Question): Promise<Answered> {
  const { path } = question;
  const request = { path, since: performance.now() };
  waiting.add(request);
  try {
    const { status, ms, bytes, refusal } = await ask(client, question);
    return { path, status, ms, bytes, refusal: refusal === null ? null : errorIn(refusal) };
  } catch (error) {
    const refusal = { code: "NO_RESPONSE", message: (error as Error).message };
    return { path, status: 0, ms: 0, bytes: 0, refusal };
  } finally {
    waiting.delete(request);
  }
}

function errorIn(body: string): Answered["refusal"] {
  try {
    const { code, message } = JSON.parse(body).error;
    return { code: String(code), message: String(message) };
  } catch {
    return { code: "UNREADABLE", message: body };
  }
}
