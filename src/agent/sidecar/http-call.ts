// One HTTP call to a service on this host: never through a proxy, bounded in time and size, without
// following redirects.

import { orAborted } from "../../lib/time-limit.ts";
import { messageOf } from "../connection/errors.ts";
import type { SecretSource } from "./config/config.ts";
import { type Place, readSecret } from "./place.ts";
import { Beginning } from "./programs/kept-output.ts";

export interface HttpCall {
  method: string;
  url: string;
  headers: Record<string, SecretSource>;
  /** Sent as JSON when it is there. */
  body?: string | undefined;
  /** More of the answer is not read. */
  maxBytes: number;
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  text: string;
  /** There was more of it. */
  cut: boolean;
}

/**
 * Answers whatever the status. Rejects with an Error whose message is for an operator ("connection
 * refused"), and with the signal's reason as soon as that is aborted.
 */
export async function callHttp(
  { method, url, headers, body, maxBytes }: HttpCall,
  place: Place,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const sent: Record<string, string> = { "user-agent": "platform-agent" };
  if (body !== undefined) sent["content-type"] = "application/json";
  for (const [name, source] of Object.entries(headers)) {
    sent[name.toLowerCase()] = await readSecret(source, place);
  }
  signal.throwIfAborted();
  const { Agent, request } = await import("undici");
  // A connection of its own: nothing is left open, and a service that restarts is found again.
  // The signal alone says how long an answer may take; undici itself heeds it once connected only.
  const connect = { signal };
  const dispatcher = new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  const ask = async (): Promise<HttpAnswer> => {
    const answer = await request(url, {
      dispatcher,
      method: method as "GET",
      headers: sent,
      body: body ?? null,
      signal,
    });
    const kept = await beginningOf(answer.body, maxBytes);
    const { statusCode: status } = answer;
    return { status, headers: plain(answer.headers), text: kept.text(), cut: kept.isCut };
  };
  try {
    return await orAborted(ask(), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`${method} ${publicUrl(url)}: ${networkReasonOf(error)}`, { cause: error });
  } finally {
    // Beside: it waits for a connection under way.
    void dispatcher.destroy();
  }
}

/** The URL for messages: without what may be a secret. */
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

function plain(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const named = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection lost",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ETIMEDOUT: "no connection in time",
  UND_ERR_SOCKET: "connection lost",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
};

/** Why a service cannot be reached, for an operator. */
export function networkReasonOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  return reasons[code] ?? messageOf(error);
}
