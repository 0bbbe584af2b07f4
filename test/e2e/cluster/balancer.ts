// A load balancer for HTTP: round robin over the nodes that are up. It sends a request to another
// node only if it could not connect. After any other failure, the node may have done the work.

import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "../../helpers/http/listen.ts";
import { atEnd } from "../../helpers/lifetime.ts";

/** The pause between two checks of a node, and how long a node may take to respond. */
const [checkEveryMs, checkTimeoutMs] = [500, 3000];

/**
 * The route to which a node that is up responds with 200. docs/guides/cluster.md recommends
 * `ready`. With `health`, a node whose database fails remains up, so that tests see the node's own
 * responses.
 */
export type Check = "health" | "ready";

class Upstream {
  readonly port: number;
  readonly #check: Check;
  isUp = true;
  /** Functions that cut the requests without a response. */
  readonly #open = new Set<() => void>();

  constructor(url: string, check: Check) {
    this.port = Number(new URL(url).port);
    this.#check = check;
  }

  /** Checks whether the node is up. If it does not respond, its open requests are cut. */
  async check(): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMs);
    const url = `http://127.0.0.1:${this.port}/api/system/${this.#check}`;
    const status = await fetch(url, { signal }).then(
      (answer) => answer.status,
      () => null,
    );
    this.isUp = status === 200;
    if (status === null) for (const cut of this.#open) cut();
  }

  /** Resolves with false if the node cannot be reached. */
  forward(incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): Promise<boolean> {
    const { method, url: path, headers } = incoming;
    const place = { host: "127.0.0.1", port: this.port, path, method, headers, agent: false };
    return new Promise((resolve) => {
      const cut = () => {
        onward.destroy();
        outgoing.destroy();
      };
      const onward = request(place, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.on("error", cut).pipe(outgoing);
      });
      this.#open.add(cut);
      onward.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED") resolve(false);
        else cut();
      });
      onward.on("close", () => {
        this.#open.delete(cut);
        resolve(true);
      });
      outgoing.on("close", () => onward.destroy());
      onward.end(body);
    });
  }
}

/** Returns the URL of a balancer in front of the nodes. */
export async function startBalancer(urls: string[], check: Check): Promise<string> {
  const upstreams = urls.map((url) => new Upstream(url, check));
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const first = turn++;
    for (let attempt = 0; attempt < upstreams.length; attempt++) {
      const upstream = upstreams[(first + attempt) % upstreams.length];
      if (!upstream?.isUp) continue;
      if (await upstream.forward(incoming, Buffer.concat(chunks), outgoing)) return;
      upstream.isUp = false;
    }
    outgoing.writeHead(503, { "retry-after": "1" }).end();
  });
  let hasEnded = false;
  const checking = upstreams.map(async (upstream) => {
    while (!hasEnded) {
      await upstream.check();
      await sleep(checkEveryMs);
    }
  });
  atEnd(async () => {
    hasEnded = true;
    await Promise.all(checking);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}
