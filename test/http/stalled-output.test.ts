// Tests HTTP and HTTPS, where a whole response is one write. The tests advance the clock with the
// reads, so the speed of the machine does not matter.

import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { LimitWatch } from "../../src/core/limits/limit-watch.ts";
import { Connections } from "../../src/http/connections/connections.ts";
import { ca, certificatePair } from "../helpers/http/https.ts";
import { listen } from "../helpers/http/listen.ts";
import { requestText } from "./raw.ts";

const MiB = 1024 * 1024;
/** This is several times the size of the system's buffers on both sides. */
const answer = Buffer.alloc(24 * MiB, "x");
const stalledMs = 30_000;

interface Way {
  name: string;
  createServer: () => Server;
  connect: (port: number) => Socket;
}

const ways: Way[] = [
  {
    name: "HTTP",
    createServer: () => createServer(),
    connect: (port) => connectTcp(port, "127.0.0.1"),
  },
  {
    name: "HTTPS",
    createServer: () => createTlsServer(certificatePair("first")),
    connect: (port) => connectTls({ port, host: "127.0.0.1", ca, servername: "localhost" }),
  },
];

describe.each(ways)("over $name", (way) => {
  test("a client that reads slowly but steadily receives the whole response", async () => {
    const { client, pass, watch } = await ask(way);
    let received = 0;
    let steps = 0;
    while (received < answer.length) {
      const read = await readSome(client, Math.min(2 * MiB, answer.length - received));
      // The connection was closed.
      if (read === 0) break;
      received += read;
      steps++;
      await pass(stalledMs / 4);
    }
    expect(received).toBeGreaterThanOrEqual(answer.length);
    // The reading took many times longer than a client may pause.
    expect(steps).toBeGreaterThan(8);
    expect(watch.counts().stalledOutput).toBe(0);
  });

  test("a client that stops reading is disconnected", async () => {
    const { client, pass, watch } = await ask(way);
    const read = await readSome(client, 8 * MiB);
    let passes = 0;
    while (watch.counts().stalledOutput === 0 && passes < 20) {
      await pass(stalledMs / 2);
      passes++;
    }
    expect(watch.counts().stalledOutput).toBe(1);
    expect(passes).toBeGreaterThanOrEqual(2);
    expect(read + (await readSome(client, answer.length))).toBeLessThan(answer.length);
  });
});

/** Opens a client that has sent a request and has not read the response yet. */
async function ask(way: Way) {
  let now = 0;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const watch = new LimitWatch(
    () => log,
    () => now,
  );
  const limits = { most: 16, mostPerAddress: 16, isProxy: () => false, stalledMs };
  const server = way.createServer();
  const connections = new Connections(
    limits,
    watch,
    () => now,
    (_request, response) => void response.end(answer),
  );
  connections.attach(server);
  const client = way.connect(await listen(server));
  client.on("error", () => undefined).pause();
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write(requestText("GET / HTTP/1.1", ["Host: localhost"]));
  const pass = async (ms: number) => {
    // The server can now write what fits into the buffers.
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    now += ms;
    connections.sweep();
  };
  return { client, pass, watch };
}

/** Reads at least this many bytes, or up to the end. Returns how many it read. */
async function readSome(client: Socket, bytes: number): Promise<number> {
  let read = 0;
  while (read < bytes) {
    const chunk: Buffer | null = client.read();
    if (chunk !== null) {
      read += chunk.length;
    } else {
      if (client.readableEnded || client.destroyed) break;
      await new Promise<void>((resolve) => {
        const go = () => {
          client.off("readable", go).off("close", go);
          resolve();
        };
        client.on("readable", go).on("close", go);
      });
    }
  }
  return read;
}
