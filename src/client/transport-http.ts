// Calls over HTTP, with a credential. (`cli.md` "Where it talks", "Who")

import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { Transport } from "./client.ts";
import { pathOf, shownPath, slowSecondsOf } from "./paths.ts";
import { Unreachable, Untrusted } from "./unreachable.ts";

/** An answer takes at most this long, and what `wait` in the query or a slow route adds. */
const defaultTimeoutMs = 30_000;

/** What signing in has brought. */
export interface SessionCredential {
  /** `name=value`: the name differs between HTTP and HTTPS. */
  cookie: string;
  csrfToken: string;
}

export interface HttpTransportOptions {
  /** Where the server is; a path in it is kept. */
  url: string;
  /** An agent token, a registration token or an API key. */
  bearer?: string | undefined;
  /** In place of a bearer: a person's session. */
  session?: SessionCredential | undefined;
  /** Sent as User-Agent. */
  userAgent: string;
  /** Certificates in PEM: only what they vouch for is trusted. Absent: the well-known authorities. */
  ca?: string | undefined;
  /** Sees every request and answer, without credentials. */
  trace?: (line: string) => void;
  /** Gets the Set-Cookie headers of an answer that has any. */
  onCookies?: (cookies: string[]) => void;
}

export function httpTransport(options: HttpTransportOptions): Transport {
  const base = options.url.replace(/\/+$/, "");
  const { ca, session, trace } = options;
  const connect = { timeout: 10_000, ...(ca === undefined ? {} : { ca }) };
  let opened: ReturnType<typeof open> | null = null;
  // The library takes longer to load than most calls take: not before the first of them.
  async function open() {
    const { Agent, request } = await import("undici");
    return { request, dispatcher: new Agent({ connect, keepAliveTimeout: 30_000 }) };
  }
  const always: Record<string, string> = { "user-agent": options.userAgent };
  if (options.bearer !== undefined) always.authorization = `Bearer ${options.bearer}`;
  else if (session) always.cookie = session.cookie;

  function headersFor(method: string, body: string | undefined): Record<string, string> {
    const headers = { ...always };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (session && headers.cookie && method !== "GET") headers["x-csrf-token"] = session.csrfToken;
    return headers;
  }

  async function exchange<T>(
    { method, path, body, signal, timeoutMs }: Exchange,
    read: (answer: Dispatcher.ResponseData, told: (about: string) => void) => Promise<T>,
  ): Promise<T> {
    const shown = `${method} ${base}${shownPath(path)}`;
    try {
      opened ??= open();
      const { request, dispatcher } = await opened;
      const answer = await request(base + path, {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: headersFor(method, body),
        body: body ?? null,
        signal: signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const cookies = answer.headers["set-cookie"];
      if (cookies !== undefined) options.onCookies?.([cookies].flat());
      return await read(answer, (about) => trace?.(`${shown} ${answer.statusCode}${about}`));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      trace?.(`${shown} failed: ${(error as Error).message}`);
      throw failureOf(base, error);
    }
  }

  /** A body that breaks off is a failure like no answer at all. */
  async function* whole(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    try {
      yield* body;
    } catch (error) {
      throw signal?.aborted ? signal.reason : failureOf(base, error);
    }
  }

  return {
    target: base,
    async send(call) {
      const { method, slowSeconds = 0, produces } = call.spec;
      const extraSeconds = Number(call.query.wait ?? 0) + slowSeconds;
      const outgoing = {
        method,
        path: pathOf(call.spec, call),
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: call.signal,
        timeoutMs: call.timeoutMs ?? defaultTimeoutMs + extraSeconds * 1000,
      };
      return exchange(outgoing, async (answer, told) => {
        const status = answer.statusCode;
        if (produces && status === 200) {
          told("");
          const headers = plainHeaders(answer.headers);
          const contentType = headers["content-type"] ?? "";
          const chunks = whole(answer.body, call.signal);
          return { status, body: undefined, download: { contentType, headers, chunks } };
        }
        const text = await answer.body.text();
        told(` ${text.length} characters`);
        const retryAfter = Number(answer.headers["retry-after"]);
        const retryAfterSeconds = retryAfter >= 0 ? retryAfter : undefined;
        return { status, body: parsed(text), retryAfterSeconds };
      });
    },
    async request({ method, path, body, signal, timeoutMs }) {
      const usual = defaultTimeoutMs + slowSecondsOf(method, path) * 1000;
      const outgoing = { method, path, body, signal, timeoutMs: timeoutMs ?? usual };
      return exchange(outgoing, async (answer, told) => {
        told("");
        const headers = plainHeaders(answer.headers);
        return { status: answer.statusCode, headers, chunks: whole(answer.body, signal) };
      });
    },
    async close() {
      await (await opened)?.dispatcher.destroy();
    },
  };
}

interface Exchange {
  method: string;
  path: string;
  body: string | undefined;
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const named = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name cannot be looked up",
  ETIMEDOUT: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped half-way",
  UND_ERR_SOCKET: "connection lost",
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak HTTPS there: is it http://?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak HTTPS there: is it http://?",
};

/** Certificates that an authority of ours has not signed, by OpenSSL's names. */
const unknownIssuers = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function failureOf(base: string, error: unknown): Unreachable {
  const { code = "", message } = error as { code?: string; message: string };
  if (!unknownIssuers.has(code)) {
    return new Unreachable(base, reasons[code] ?? (message || "unknown reason"), error);
  }
  // Behind the semicolon Node speaks of its own flags.
  const reason = message.split(";", 1)[0];
  return new Untrusted(base, `the server's certificate is not trusted: ${reason}`, error);
}
