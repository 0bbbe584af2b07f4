// A server that is not Platform, for tests of clients.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on this host until the test ends. Returns its URL. */
export async function startAnyServer(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
