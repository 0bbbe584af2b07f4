import type { IncomingHttpHeaders } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { pathOf } from "../api/contract/call.ts";
import { jsonOrUndefined } from "../lib/json/json-or-undefined.ts";
import { orAborted } from "../lib/time-limit.ts";
import type { RawRequest, Transport, TransportAnswer, TransportRequest } from "./client.ts";
import { openDispatcher, type Way } from "./dispatcher.ts";
import { noAnswer } from "./no-answer.ts";
import { shownPath, slowSecondsOf } from "./paths.ts";
import { retryAfterSecondsOf } from "./retry-after.ts";

/** Calls with `wait` and calls to slow routes get additional time. */
const defaultTimeoutMs = 30_000;
/** A call fails if the body of its response pauses for longer than this, even on a slow route. */
const longestPauseMs = 900_000;

export interface SessionCredential {
  /** `name=value`. The name differs between HTTP and HTTPS. */
  cookie: string;
  csrfToken: string;
}

export interface HttpTransportOptions extends Way {
  /** The transport keeps the URL's path. */
  url: string;
  /** An agent token, a registration token or an API key. */
  bearer?: string | undefined;
  /** Used instead of a bearer token. */
  session?: SessionCredential | undefined;
  userAgent: string;
  /** Closes connections that are unused for this long. Default: what the server suggests. */
  idleMs?: number | undefined;
  /** Receives a line for each request and response, without credentials. */
  trace?: (line: string) => void;
  onCookies?: (cookies: string[]) => void;
}

export function httpTransport(options: HttpTransportOptions): Transport {
  const base = options.url.replace(/\/+$/, "");
  const { ca, insecureSkipTlsVerify, proxy, session, idleMs, trace } = options;
  const way = { ca, insecureSkipTlsVerify, proxy };
  const transportError = (error: unknown) => noAnswer(base, error, proxy ?? null);
  let opened: ReturnType<typeof openDispatcher> | null = null;
  const always: Record<string, string> = { "user-agent": options.userAgent };
  if (options.bearer !== undefined) always.authorization = `Bearer ${options.bearer}`;
  else if (session) always.cookie = session.cookie;

  function headersFor(method: string, body: string | undefined, idempotencyKey?: string) {
    const headers = { ...always };
    if (idempotencyKey !== undefined && method === "POST") {
      headers["idempotency-key"] = idempotencyKey;
    }
    if (body !== undefined) headers["content-type"] = "application/json";
    if (session && headers.cookie && method !== "GET") headers["x-csrf-token"] = session.csrfToken;
    return headers;
  }

  async function exchange<T>(
    { method, path, body, signal, timeoutMs: given, idempotencyKey }: RawRequest,
    read: (answer: Dispatcher.ResponseData, told: (about: string) => void) => Promise<T>,
  ): Promise<T> {
    const timeoutMs = given ?? defaultTimeoutMs + slowSecondsOf(method, path) * 1000;
    const shown = `${method} ${base}${shownPath(path)}`;
    try {
      opened ??= openDispatcher(way, idleMs);
      const { request, dispatcher } = await opened;
      const asking = request(base + path, {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: headersFor(method, body, idempotencyKey),
        body: body ?? null,
        signal: signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: Math.min(timeoutMs, longestPauseMs),
      });
      // undici obeys a signal only after it has connected.
      const answer = await orAborted(asking, signal);
      const cookies = answer.headers["set-cookie"];
      if (cookies !== undefined) options.onCookies?.([cookies].flat());
      return await read(answer, (about) => trace?.(`${shown} ${answer.statusCode}${about}`));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      trace?.(`${shown} failed: ${(error as Error).message}`);
      throw transportError(error);
    }
  }

  /** An incomplete body fails in the same way as a missing response. */
  async function* whole(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    try {
      yield* body;
    } catch (error) {
      throw signal?.aborted ? signal.reason : transportError(error);
    }
  }

  async function openStream(call: TransportRequest): Promise<TransportAnswer> {
    const { openWebSocket } = await import("./stream-http.ts");
    const path = pathOf(call.spec, call);
    const url = base + path;
    const shown = `GET ${base}${shownPath(path)}`;
    const { signal } = call;
    const place = { url, headers: headersFor("GET", undefined), way, signal, transportError };
    try {
      const answer = await openWebSocket(place);
      trace?.(`${shown} ${answer.status}`);
      return answer;
    } catch (error) {
      trace?.(`${shown} failed: ${(error as Error).message}`);
      throw error;
    }
  }

  return {
    target: base,
    async send(call) {
      if (call.spec.websocket) return openStream(call);
      const { method, produces } = call.spec;
      const path = pathOf(call.spec, call);
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      return exchange({ ...call, method, path, body }, async (answer, told) => {
        const status = answer.statusCode;
        if (produces && status === 200) {
          told("");
          const headers = plainHeaders(answer.headers);
          const contentType = headers["content-type"] ?? "";
          const chunks = whole(answer.body, call.signal);
          return { status, body: undefined, download: { contentType, headers, chunks } };
        }
        const text = await answer.body.text();
        // undici does not reuse a connection in the turn of the event loop that ends a response, so
        // a call in that turn would open another connection.
        await nextTurn();
        told(` ${text.length} characters`);
        const retryAfterSeconds = retryAfterSecondsOf(answer.headers);
        return { status, body: jsonOrUndefined(text), retryAfterSeconds };
      });
    },
    async request(call) {
      return exchange(call, async (answer, told) => {
        told("");
        const headers = plainHeaders(answer.headers);
        return { status: answer.statusCode, headers, chunks: whole(answer.body, call.signal) };
      });
    },
    async close() {
      await (await opened)?.dispatcher.destroy();
    },
  };
}

export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
