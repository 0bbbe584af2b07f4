// The parts of undici that send requests. They load in half the time of the whole package, which
// also contains fetch, WebSocket, caches and mocks.

import type { Dispatcher } from "undici";
import requestOf from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";

export { Agent };

type RequestOptions = { dispatcher: Dispatcher } & Omit<
  Dispatcher.RequestOptions,
  "origin" | "path"
>;

export function request(
  url: string,
  { dispatcher, ...options }: RequestOptions,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return requestOf.call(dispatcher, { ...options, origin, path: pathname + search });
}
