import { type Client, createClient } from "../../client/client.ts";
import type { Way } from "../../client/dispatcher.ts";
import { httpTransport } from "../../client/transport-http.ts";

export const userAgent = "platform-agent";

/**
 * After a longer pause, a second connection is closed. It must be shorter than the pauses between
 * heartbeats.
 */
const idleMs = 5000;

export function openClient(url: string, way: Way, bearer?: string): Client {
  return createClient(httpTransport({ url, bearer, userAgent, idleMs, ...way }));
}
