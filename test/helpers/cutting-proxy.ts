// A proxy in front of PostgreSQL that cuts or holds connections at a chosen moment. `cutAll` and
// `restore` work for any server.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { atEnd } from "./lifetime.ts";

type Moment = "before" | "after";

interface Plan {
  when: Moment;
  cuts: boolean;
  done: () => void;
}

export interface CuttingProxy {
  url: string;
  /**
   * Cuts the next connection that sends COMMIT, before the server gets the COMMIT or after it has
   * answered. The answer is dropped. Resolves when the connection is cut.
   */
  cutAtCommit(when: Moment): Promise<void>;
  /** Like `cutAtCommit`, but leaves the connection open and stops passing data through it. */
  holdAtCommit(when: Moment): Promise<void>;
  /** Cuts every connection, and refuses new ones until `restore`. */
  cutAll(): void;
  restore(): void;
  /** Leaves every connection open, old and new, but stops passing data until `restore`. */
  holdAll(): void;
}

/** Starts a proxy that leads to the server of this URL. */
export async function cuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isDown = false;
  let areHeld = false;
  let plan: Plan | null = null;
  // Without `noDelay`, the kernel can hold a small message back until the last one is acknowledged,
  // which takes 40 ms.
  const server = createServer({ noDelay: true }, (client) => {
    if (isDown) {
      client.destroy();
      return;
    }
    const upstream = connect({
      port: Number(target.port),
      host: target.hostname,
      noDelay: true,
    });
    const names = new CommitNames();
    let isHeld = false;
    const end = ({ cuts, done }: Plan) => {
      if (cuts) client.destroy();
      if (cuts) upstream.destroy();
      done();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (isHeld || areHeld) return;
      if (names.commits(chunk) && plan) {
        const current = plan;
        plan = null;
        isHeld = true;
        if (current.when === "before") {
          end(current);
          return;
        }
        upstream.once("data", () => end(current));
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!isHeld && !areHeld) client.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutAll = () => {
    isDown = true;
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    cutAll();
    server.close();
  });
  const own = new URL(url);
  own.port = String((server.address() as { port: number }).port);
  const atCommit = (when: Moment, cuts: boolean) =>
    new Promise<void>((done) => {
      plan = { when, cuts, done };
    });
  return {
    url: own.href,
    cutAtCommit: (when) => atCommit(when, true),
    holdAtCommit: (when) => atCommit(when, false),
    cutAll,
    restore: () => {
      isDown = false;
      areHeld = false;
    },
    holdAll: () => {
      areHeld = true;
    },
  };
}

/** Remembers the name under which a connection has prepared COMMIT. */
class CommitNames {
  #bind: Buffer | null = null;

  /** Whether the chunk contains a COMMIT. The client sends it in one piece. */
  commits(chunk: Buffer): boolean {
    const parse = /P[\s\S]{4}(p\d+)\0COMMIT\0/.exec(chunk.toString("latin1"));
    // A message that binds the prepared statement names an empty portal and the statement.
    if (parse) this.#bind = Buffer.from(`\0${parse[1]}\0\0\0`);
    return this.#bind !== null && chunk.includes(this.#bind);
  }
}
