// Requests by operators, whose responses can be long or streamed.

import { performance } from "node:perf_hooks";
import type { Client } from "../../src/client/client.ts";

export interface Question {
  method: "GET" | "POST";
  path: string;
}

export interface Outcome {
  status: number;
  ms: number;
  bytes: number;
  /** The whole body of a response that is not 2xx. */
  refusal: string | null;
}

/** Reads the whole response. Throws Unreachable if the connection fails. */
export async function ask(client: Client, question: Question): Promise<Outcome> {
  const startedAt = performance.now();
  const { status, chunks } = await client.request(question);
  const isRefused = status < 200 || status > 299;
  let bytes = 0;
  const refusal: Uint8Array[] = [];
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (isRefused) refusal.push(chunk);
  }
  const ms = performance.now() - startedAt;
  return { status, ms, bytes, refusal: isRefused ? Buffer.concat(refusal).toString() : null };
}
