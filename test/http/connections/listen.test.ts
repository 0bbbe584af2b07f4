import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/http/connections/listen.ts";

const count = 1_000;

/** Linux accepts no more than this, whatever a program asks for. */
function systemBacklog(): number {
  try {
    return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  } catch {
    return 0;
  }
}

const connecting = `
  const { connect } = require("node:net");
  const { workerData: { port, count, connected } } = require("node:worker_threads");
  for (let number = 0; number < count; number++) {
    const socket = connect(port, "127.0.0.1", () => {
      if (Atomics.add(connected, 0, 1) + 1 === count) Atomics.notify(connected, 1);
    });
    socket.on("error", () => {});
  }
`;

test.skipIf(systemBacklog() < count)(
  "1,000 agents that connect while the event loop is busy do not have to try again",
  async () => {
    const server = createServer();
    const { port } = new URL(await listen(server, "127.0.0.1", 0));
    const connected = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(connecting, {
      eval: true,
      workerData: { port: Number(port), count, connected },
    });
    onTestFinished(async () => {
      await worker.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    // Nothing is accepted meanwhile: the system holds the connections.
    Atomics.wait(connected, 1, 0, 10_000);
    expect(connected[0]).toBe(count);
  },
);
