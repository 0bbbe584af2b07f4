// A proxy in front of a server that counts the bytes of its responses.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { atEnd } from "../lifetime.ts";

export interface CountingProxy {
  url: string;
  /** Bytes from the server to its clients, so far. */
  received: () => number;
}

export async function countingProxy(url: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    upstream.on("data", ({ length }) => {
      received += length;
    });
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
  };
}
