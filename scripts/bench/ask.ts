// Requests by operators, whose responses can be long or streamed.

import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";

export interface Question {
  method: "GET" | "POST";
  path: string;
  key: string;
}

export interface Outcome {
  status: number;
  ms: number;
  bytes: number;
  /** The whole body of a response that is not 2xx. */
  refusal: string | null;
}

const agent = new Agent({ keepAlive: true });

/** Reads the whole response. Rejects if the connection fails. */
export function ask(port: number, { method, path, key }: Question): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent });
    asked.once("error", reject);
    asked.once("response", (response) => {
      const status = response.statusCode ?? 0;
      const isRefused = status < 200 || status > 299;
      let bytes = 0;
      let refusal = "";
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (isRefused) refusal += chunk;
      });
      response.once("error", reject);
      response.once("end", () => {
        const ms = performance.now() - startedAt;
        resolve({ status, ms, bytes, refusal: isRefused ? refusal : null });
      });
    });
    asked.end();
  });
}
