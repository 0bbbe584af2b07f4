// Starts servers on loopback until the end of a test, and finds free ports.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { atEnd } from "../lifetime.ts";

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

/** Returns a port that nothing listens on, because this function has just closed it. */
export async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}
