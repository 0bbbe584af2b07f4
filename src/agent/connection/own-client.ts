import { type Client, createClient } from "../../client/client.ts";
import type { Way } from "../../client/dispatcher.ts";
import { httpTransport } from "../../client/transport-http.ts";

export const userAgent = "platform-agent";

export function openClient(url: string, way: Way, bearer?: string): Client {
  return createClient(httpTransport({ url, bearer, userAgent, ...way }));
}
