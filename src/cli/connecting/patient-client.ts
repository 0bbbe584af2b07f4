// For commands that make a call for each of many items. They can reach the server's limit on
// requests (docs/decisions/0015-limits-on-clients.md), so they wait for as long as it says.

import type { Client } from "../../client/client.ts";
import { pauseOrAborted } from "../../lib/time-limit.ts";
import type { Invocation } from "../command.ts";
import { noteLine } from "../terminal/notes.ts";
import { isTemporary, retryAfterMs } from "./outages.ts";

/** How long the limit may refuse every call. The server counts requests in windows of 10 s. */
const patienceMs = 60_000;

/** Repeats calls that were refused because of the limit. Such a call has changed nothing. */
export function patientClient(
  { io, options, signal }: Pick<Invocation, "io" | "options" | "signal">,
  api: Client,
): Client {
  let isNoted = false;
  /** When the limit began to refuse all calls; null if the last call ended in another way. */
  let refusedSince: number | null = null;
  const repeated = async <T>(call: () => Promise<T>): Promise<T> => {
    while (true) {
      try {
        const result = await call();
        refusedSince = null;
        return result;
      } catch (error) {
        const pauseMs = isTemporary(error) ? retryAfterMs(error) : null;
        if (pauseMs === null) {
          refusedSince = null;
          throw error;
        }
        refusedSince ??= performance.now();
        if (performance.now() + pauseMs > refusedSince + patienceMs) throw error;
        const text = "The server limits the rate of requests, so the command takes longer.";
        if (!isNoted) noteLine(io, options, "TRYING_AGAIN", text);
        isNoted = true;
        await pauseOrAborted(pauseMs, signal);
      }
    }
  };
  return {
    ...api,
    get reached() {
      return api.reached;
    },
    call: (name, ...input) => repeated(() => api.call(name, ...input)),
    page: (name, ...input) => repeated(() => api.page(name, ...input)),
  };
}

/** Returns the invocation with a patient client. */
export function patiently(invocation: Invocation): Invocation {
  let patient: Promise<Client> | null = null;
  const connect = async () => patientClient(invocation, await invocation.client());
  return {
    ...invocation,
    client() {
      patient ??= connect();
      return patient;
    },
  };
}
