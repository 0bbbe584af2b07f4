// Calls in process, through the same door: on a database file, and in tests.
// The answer passes through JSON, so that nobody can tell it from one over the wire.

import type { RouteName } from "../api/index.ts";
import type { Transport } from "./client.ts";
import { type LocalCaller, openLocalStream } from "./stream-local.ts";

/** The door of an app, as far as this transport needs it. */
export type LocalDoor = (call: {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** Who waits for the answer, and takes what a stream tells; absent: somebody who never leaves. */
  caller?: LocalCaller;
}) => Promise<{
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  download?: {
    contentType: string;
    headers?: Record<string, string>;
    chunks: AsyncIterable<string | Uint8Array>;
  };
}>;

export function localTransport(
  target: string,
  door: LocalDoor,
  close: () => Promise<void>,
): Transport {
  return {
    target,
    async send(call) {
      call.signal?.throwIfAborted();
      const { signal } = call;
      const request = {
        route: call.name,
        params: call.params,
        query: definedOnly(call.query),
        body: call.body,
      };
      if (call.spec.websocket) {
        const ask = (caller: LocalCaller) => door({ ...request, caller });
        return openLocalStream({ target, ask, signal });
      }
      const answer = door(request);
      const given = await (signal ? orAborted(answer, signal) : answer);
      const { status, download, headers } = given;
      if (download) {
        const chunks = bytesOf(download.chunks);
        const known = lowerCased(download.headers ?? {});
        const { contentType } = download;
        return { status, body: undefined, download: { contentType, headers: known, chunks } };
      }
      const retryAfter = headers?.["Retry-After"];
      return {
        status,
        body: JSON.parse(JSON.stringify(given.body)),
        retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
      };
    },
    close,
  };
}

async function* bytesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function definedOnly(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
