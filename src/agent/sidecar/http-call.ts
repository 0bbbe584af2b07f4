// Calls a service on this host, without a proxy or redirects.

import { plainHeaders } from "../../client/transport-http.ts";
import { orAborted } from "../../lib/time-limit.ts";
import { reasonFrom } from "../connection/errors.ts";
import { userAgent } from "../connection/own-client.ts";
import type { SecretSource } from "./config/config.ts";
import { type Abortable, readSecret } from "./config/config-origin.ts";
import { Beginning } from "./programs/bounded-output.ts";

interface HttpCall {
  method: string;
  url: string;
  headers: Record<string, SecretSource>;
  body?: string | undefined;
  maxBytes: number;
}

export interface HttpResponse {
  status: number;
  /** The names are in lower case. */
  headers: Record<string, string>;
  text: string;
  /** Whether the response was longer than `maxBytes`. */
  cut: boolean;
}

/**
 * Resolves for any status. If the call fails, rejects with an Error that has a message for
 * operators ("connection refused"). Rejects with the signal's reason as soon as it is aborted.
 */
export async function callHttp(
  { method, url, headers, body, maxBytes }: HttpCall,
  origin: Abortable,
): Promise<HttpResponse> {
  const { signal } = origin;
  const sent: Record<string, string> = { "user-agent": userAgent };
  if (body !== undefined) sent["content-type"] = "application/json";
  for (const [name, source] of Object.entries(headers)) {
    sent[name.toLowerCase()] = await readSecret(source, origin);
  }
  signal.throwIfAborted();
  const { Agent, request } = await import("../../client/undici.ts");
  // Each call uses a new connection, so that calls reach a restarted service. Only the signal
  // limits the time. undici obeys it only once connected, so `connect` gets it too.
  const connect = { signal };
  const dispatcher = new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  const send = async (): Promise<HttpResponse> => {
    const response = await request(url, {
      dispatcher,
      method: method as "GET",
      headers: sent,
      body: body ?? null,
      signal,
    });
    const kept = await beginningOf(response.body, maxBytes);
    const { statusCode: status } = response;
    return { status, headers: plainHeaders(response.headers), text: kept.text(), cut: kept.isCut };
  };
  try {
    return await orAborted(send(), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`${method} ${publicUrl(url)}: ${networkReasonOf(error)}`, { cause: error });
  } finally {
    // This promise is not awaited, because it would wait for a connection in progress.
    void dispatcher.destroy();
  }
}

/** Returns the URL without parts that may be secret. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function beginningOf(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Beginning> {
  const kept = new Beginning(maxBytes);
  for await (const chunk of body) {
    kept.add(chunk);
    if (kept.isCut) break;
  }
  return kept;
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "host unreachable",
  ETIMEDOUT: "connection timed out",
  UND_ERR_SOCKET: "connection lost",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
};

export function networkReasonOf(error: unknown): string {
  return reasonFrom(reasons, error);
}
