// Starts servers on loopback until the end of a test, and reserves ports.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { atEnd } from "../lifetime.ts";
import { reservePort } from "../ports.ts";

/** Listens on a free port, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEnd(() => {
    server.close();
    if ("closeAllConnections" in server) (server.closeAllConnections as () => void)();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server, and returns its URL. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

/** Starts a server that accepts connections and never sends anything. Returns its port. */
export function serveTcp(): Promise<number> {
  return listen(createTcpServer((socket) => socket.on("error", () => undefined).resume()));
}

/**
 * Returns a port that refuses connections until the end of the test. A connection uses the port, so
 * no server can get it.
 */
export async function closedPort(): Promise<number> {
  const port = await serveTcp();
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" });
  await once(socket, "connect");
  atEnd(() => socket.destroy());
  return socket.localPort ?? 0;
}

/** Returns a port that only this test uses until its end. */
export async function claimPort(): Promise<number> {
  const { port, release } = await reservePort();
  atEnd(release);
  return port;
}
