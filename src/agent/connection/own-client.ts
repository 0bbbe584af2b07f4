import { type Client, createClient } from "../../client/client.ts";
import type { Way } from "../../client/dispatcher.ts";
import { httpTransport } from "../../client/transport-http.ts";

export const userAgent = "platform-agent";

/**
 * How long a connection stays open without a request. This is shorter than the interval between
 * heartbeats, so that heartbeats do not keep a second connection open.
 */
const idleMs = 5000;

export function openClient(url: string, way: Way, bearer?: string): Client {
  return createClient(httpTransport({ url, bearer, userAgent, idleMs, ...way }));
}
