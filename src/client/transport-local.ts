// Responses are converted to JSON and back, so that they look like responses over HTTP.

import { pathOf } from "../api/contract/call.ts";
import type { RouteName } from "../api/index.ts";
import { jsonOf } from "../lib/json/ready-json.ts";
import { orAborted } from "../lib/time-limit.ts";
import type { Transport } from "./client.ts";
import { shownPath } from "./paths.ts";
import { type LocalCaller, openLocalStream } from "./stream-local.ts";

export interface LocalAnswer {
  status: number;
  body: unknown;
  /** JSON text that replaces `body`. */
  text?: string;
  headers?: Record<string, string>;
  download?: {
    contentType: string;
    fileName?: string;
    headers?: Record<string, string>;
    chunks: AsyncIterable<string | Uint8Array>;
  };
}

/** The part of the app's `dispatch` that this transport needs. */
export type LocalDoor = (call: {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  idempotencyKey?: string | undefined;
  /** Default: a caller that never disconnects. */
  caller?: LocalCaller;
}) => Promise<LocalAnswer>;

/** `body` is JSON text. */
export type LocalPaths = (call: {
  method: string;
  path: string;
  body: string | undefined;
  idempotencyKey?: string | undefined;
}) => Promise<LocalAnswer>;

export interface LocalOptions {
  /** If absent, calls by method and path throw. */
  paths?: LocalPaths;
  /** Receives a line for each call and its status, without secrets. */
  trace?: ((line: string) => void) | undefined;
}

export function localTransport(
  target: string,
  door: LocalDoor,
  close: () => Promise<void>,
  { paths, trace }: LocalOptions = {},
): Transport {
  async function answered(
    [method, path]: [method: string, path: string],
    ask: () => Promise<LocalAnswer>,
    signal: AbortSignal | undefined,
  ): Promise<LocalAnswer> {
    const answer = await orAborted(ask(), signal);
    trace?.(`${method} ${shownPath(path)} ${answer.status}`);
    return answer;
  }
  return {
    target,
    async send(call) {
      const asked = {
        route: call.name,
        params: call.params,
        query: definedOnly(call.query),
        body: call.body,
        idempotencyKey: call.idempotencyKey,
      };
      if (call.spec.websocket) {
        const ask = (caller: LocalCaller) => door({ ...asked, caller });
        return openLocalStream(target, ask, call.signal);
      }
      const place: [string, string] = [call.spec.method, pathOf(call.spec, call)];
      const given = await answered(place, () => door(asked), call.signal);
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
        body: JSON.parse(jsonOf(given)),
        retryAfterSeconds: retryAfter === undefined ? undefined : Number(retryAfter),
      };
    },
    async request({ method, path, body, signal, idempotencyKey }) {
      if (!paths) throw new Error("this transport does not support calls by path");
      const ask = () => paths({ method, path, body, idempotencyKey });
      const given = await answered([method, path], ask, signal);
      const chunks = method === "HEAD" ? [] : (given.download?.chunks ?? [jsonOf(given)]);
      return { status: given.status, headers: headersOf(given), chunks: bytesOf(chunks) };
    },
    close,
  };
}

/** Returns the headers that an HTTP server would send. */
function headersOf({ headers = {}, download }: LocalAnswer): Record<string, string> {
  if (!download) return { "content-type": jsonType, ...lowerCased(headers) };
  const { contentType, fileName } = download;
  return {
    "content-type": contentType,
    ...(fileName ? { "content-disposition": `attachment; filename="${fileName}"` } : {}),
    ...lowerCased(download.headers ?? {}),
  };
}

const jsonType = "application/json; charset=utf-8";

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

async function* bytesOf(chunks: Chunks): AsyncIterable<Uint8Array> {
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
