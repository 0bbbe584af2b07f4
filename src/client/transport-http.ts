// Calls over HTTP, with a credential. (`cli.md` "Where it talks")

import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "undici";
import type { RouteSpec } from "../api/route.ts";
import type { Transport, TransportAnswer, TransportRequest } from "./client.ts";
import { Unreachable, Untrusted } from "./unreachable.ts";

/** An answer takes at most this long, and what `wait` in the query or a slow route adds. */
const defaultTimeoutMs = 30_000;

export interface HttpTransportOptions {
  /** Where the server is; a path in it is kept. */
  url: string;
  /** An agent token, a registration token or an API key. */
  bearer?: string | undefined;
  /** Sent as User-Agent. */
  userAgent: string;
  /** Certificates in PEM: only what they vouch for is trusted. Absent: the well-known authorities. */
  ca?: string | undefined;
  /** Sees every request and answer, without credentials. */
  trace?: (line: string) => void;
}

export function httpTransport(options: HttpTransportOptions): Transport {
  const base = options.url.replace(/\/+$/, "");
  const { ca } = options;
  const connect = { timeout: 10_000, ...(ca === undefined ? {} : { ca }) };
  const dispatcher = new Agent({ connect, keepAliveTimeout: 30_000 });
  const headers: Record<string, string> = { "user-agent": options.userAgent };
  if (options.bearer !== undefined) headers.authorization = `Bearer ${options.bearer}`;

  /** What every request says, the credential among it. */
  function headersFor(_method: string, body: unknown): Record<string, string> {
    return body === undefined ? headers : { ...headers, "content-type": "application/json" };
  }

  /** A body that breaks off is a failure like no answer at all. */
  async function* whole(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    try {
      yield* body;
    } catch (error) {
      throw signal?.aborted ? signal.reason : failureOf(base, error);
    }
  }

  async function openStream(call: TransportRequest): Promise<TransportAnswer> {
    const { openWebSocket } = await import("./stream-http.ts");
    const url = base + pathOf(call.spec, call);
    const { signal } = call;
    const failure = (error: unknown) => failureOf(base, error);
    const place = { url, headers: headersFor("GET", undefined), ca, signal, failureOf: failure };
    try {
      const answer = await openWebSocket(place);
      options.trace?.(`GET ${url} ${answer.status}`);
      return answer;
    } catch (error) {
      options.trace?.(`GET ${url} failed: ${(error as Error).message}`);
      throw error;
    }
  }

  return {
    target: base,
    async send(call) {
      if (call.spec.websocket) return openStream(call);
      const url = base + pathOf(call.spec, call);
      const { method } = call.spec;
      const extraSeconds = Number(call.query.wait ?? 0) + (call.spec.slowSeconds ?? 0);
      const timeoutMs = call.timeoutMs ?? defaultTimeoutMs + extraSeconds * 1000;
      try {
        const answer = await request(url, {
          dispatcher,
          method,
          headers: headersFor(method, call.body),
          body: call.body === undefined ? null : JSON.stringify(call.body),
          signal: call.signal ?? null,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
        });
        if (call.spec.produces && answer.statusCode === 200) {
          options.trace?.(`${method} ${url} ${answer.statusCode}`);
          const headers = plainHeaders(answer.headers);
          const contentType = headers["content-type"] ?? "";
          const download = { contentType, headers, chunks: whole(answer.body, call.signal) };
          return { status: answer.statusCode, body: undefined, download };
        }
        const text = await answer.body.text();
        options.trace?.(`${method} ${url} ${answer.statusCode} ${text.length} characters`);
        const retryAfter = Number(answer.headers["retry-after"]);
        return {
          status: answer.statusCode,
          body: parsed(text),
          retryAfterSeconds: retryAfter >= 0 ? retryAfter : undefined,
        };
      } catch (error) {
        options.trace?.(`${method} ${url} failed: ${(error as Error).message}`);
        if (call.signal?.aborted) throw call.signal.reason;
        throw failureOf(base, error);
      }
    },
    async close() {
      await dispatcher.destroy();
    },
  };
}

function pathOf(spec: RouteSpec, call: TransportRequest): string {
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(call.params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query)) {
    if (value === undefined) continue;
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
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
