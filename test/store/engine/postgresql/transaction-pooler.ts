// Does to a connection what PgBouncer does in transaction mode: each transaction may run on another
// connection of the server.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { atEnd } from "../../../helpers/lifetime.ts";

/** Returns a URL that leads to the same database, through the pooler. */
export async function transactionPooler(url: string): Promise<string> {
  const address = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    const open = () => keep(connect(Number(address.port), address.hostname));
    new PooledClient(client, [open(), open()]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  return own.href;
}

/** The client logs in to both connections of the server, and sees only the first one's answers. */
class PooledClient {
  readonly #client: Socket;
  readonly #upstreams: Socket[];
  /** The connection for the next transaction. */
  #at = 0;
  readonly #loggedIn = new Set<Socket>();
  #greeting: Buffer | null = null;

  constructor(client: Socket, upstreams: Socket[]) {
    this.#client = client;
    this.#upstreams = upstreams;
    client.on("close", () => {
      for (const upstream of upstreams) upstream.destroy();
    });
    client.on("data", (chunk) => {
      const isLogIn = this.#loggedIn.size < upstreams.length;
      for (const upstream of isLogIn ? upstreams : [upstreams[this.#at]]) upstream?.write(chunk);
    });
    for (const upstream of upstreams) {
      upstream.on("data", (chunk) => {
        if (this.#loggedIn.size < upstreams.length) this.#logIn(upstream, chunk);
        else this.#answer(chunk);
      });
    }
  }

  #logIn(upstream: Socket, chunk: Buffer): void {
    const isFirst = upstream === this.#upstreams[0];
    if (endsIdle(chunk)) {
      this.#loggedIn.add(upstream);
      if (isFirst) this.#greeting = chunk;
      if (this.#loggedIn.size === this.#upstreams.length) this.#client.write(this.#greeting ?? "");
    } else if (isFirst) {
      this.#client.write(chunk);
    }
  }

  #answer(chunk: Buffer): void {
    this.#client.write(chunk);
    if (endsIdle(chunk)) this.#at = (this.#at + 1) % this.#upstreams.length;
  }
}

/** Whether the chunk ends a log-in or a transaction: with ReadyForQuery outside a transaction. */
function endsIdle(chunk: Buffer): boolean {
  return chunk.subarray(-6).equals(Buffer.from("Z\0\0\0\x05I", "latin1"));
}
