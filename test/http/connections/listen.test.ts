import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { onTestFinished, test } from "vitest";
import { until } from "../../helpers/process/process.ts";

const count = 1_000;

/** Linux accepts no more than this, whatever a program asks for. */
function systemBacklog(): number {
  try {
    return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  } catch {
    return 0;
  }
}

/** Sends the server's URL, and then blocks the event loop of the server for good. */
const listening = `
  const { createServer } = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData).then(async ({ listen }) => {
    parentPort.postMessage(await listen(createServer(), "127.0.0.1", 0));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test.skipIf(systemBacklog() < count)(
  "1,000 agents that connect while the event loop is busy do not have to try again",
  async () => {
    const module = new URL("../../../src/http/connections/listen.ts", import.meta.url);
    const worker = new Worker(listening, { eval: true, workerData: module.href });
    onTestFinished(() => void worker.terminate());
    const [url] = await once(worker, "message");
    const port = Number(new URL(url).port);
    let connected = 0;
    const agents = Array.from({ length: count }, () =>
      connect(port, "127.0.0.1", () => connected++).on("error", () => undefined),
    );
    onTestFinished(() => {
      for (const agent of agents) agent.destroy();
    });
    // Nothing is accepted meanwhile: the system holds the connections.
    await until("all agents are connected", () => connected === count);
  },
);
