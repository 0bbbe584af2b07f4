// Output is whole, or says what is missing: many small writes, a server that is away, a full disk,
// and kills of the server and of the agent at random moments.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { httpTransport } from "../../../src/client/transport-http.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { startServer, until } from "../../helpers/process/process.ts";
import { startOnDisk } from "../../helpers/process/server-on-disk.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";
import { hasSmallDisks, mountSmallDisk, type SmallDisk } from "../../helpers/process/small-disk.ts";

type Part = ReplyData<Routes["commands.output"]>["parts"][number];

/** Writes `line 0`, `line 1` …, with a pause after each, whole or one character at a time. */
const program = `const { writeSync } = require("node:fs");
const [lines, pauseMs, isWhole] = process.argv.slice(2).map(Number);
const pause = new Int32Array(new SharedArrayBuffer(4));
for (let n = 0; n < lines; n++) {
  const line = "line " + n + "\\n";
  for (const text of isWhole ? [line] : line) writeSync(1, text);
  Atomics.wait(pause, 0, 0, pauseMs);
}
`;

function actionsIn(folder: string) {
  const file = join(folder, "writer.cjs");
  writeFileSync(file, program);
  const writer = (...numbers: number[]) => ({
    exec: { command: [process.execPath, file, ...numbers.map(String)] },
  });
  return [
    { name: "unbuffered", timeout: "2m", execute: writer(4000, 0.3, 0) },
    { name: "slow", timeout: "2m", execute: writer(600, 20, 1) },
  ];
}

async function openHost(disk?: SmallDisk) {
  const { server, key: bearer } = await startOnDisk(disk);
  const operator = createClient(httpTransport({ url: server.url, bearer, userAgent: "test" }));
  onTestFinished(() => operator.close());
  const service = { code: "box", version: "1", actions: actionsIn(temporaryFolder()) };
  const file = await agentFile(server, operator, { services: [service] });
  let sidecar = startSidecar(file);
  await until("the service is there", async () => {
    return (await operator.call("services.list")).length > 0;
  });
  const [{ id: serviceId = "" } = {}] = await operator.call("services.list");
  const port = Number(new URL(server.url).port);
  return {
    server,
    operator,
    run: async (actionName: string) => {
      const input = { params: { serviceId, actionName }, body: {} };
      return (await operator.call("actions.execute", input)).command!.id;
    },
    startAgain: () => startServer({ dataDir: server.dataDir, port }),
    restartAgent: async () => {
      await sidecar.kill();
      sidecar = startSidecar(file);
    },
  };
}

async function endOf(operator: Client, commandId: string) {
  return until(
    "the end",
    async () => {
      const input = { params: { commandId }, query: { wait: 5 } };
      const command = await operator.call("commands.get", input).catch(() => null);
      return command?.completedAt ? command : null;
    },
    120_000,
  );
}

async function outputOf(operator: Client, commandId: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (let after = 0; ; ) {
    const query = { after, wait: 20 };
    const page = await operator.call("commands.output", { params: { commandId }, query });
    for (const part of page.parts) {
      expect(part.offset).toBe(after);
      after += part.bytes;
    }
    parts.push(...page.parts);
    if (page.complete) return parts;
  }
}

/** Fails unless the output has all lines, or a mark where some are missing. Returns their number. */
function expectHonest(parts: Part[], lines: number, what: string): number {
  let next = 0;
  let bytes = 0;
  const all = Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
  for (const part of parts) {
    bytes += part.bytes;
    if (part.kind !== "TEXT") next += part.bytes;
    else {
      expect(part.text).toBe(all.slice(next, next + part.bytes));
      next += part.bytes;
    }
  }
  const isMarked = parts.some(({ kind }) => kind === "LOST");
  if (parts.at(-1)?.kind !== "LOST" || parts.at(-1)?.bytes !== 0) expect(bytes).toBe(all.length);
  const text = parts.filter(({ kind }) => kind === "TEXT").map((part) => part.text);
  const count = text.join("").split("\n").length - 1;
  if (count < lines) expect(isMarked).toBe(true);
  process.stderr.write(`${what}: ${count} of ${lines} lines${isMarked ? ", gap marked" : ""}\n`);
  return count;
}

test("4,000 lines, one character at a time", async () => {
  const { operator, run } = await openHost();
  for (let round = 0; round < 4; round++) {
    const id = await run("unbuffered");
    expect(await endOf(operator, id)).toMatchObject({ status: "SUCCEEDED" });
    expect(expectHonest(await outputOf(operator, id), 4000, "unbuffered")).toBe(4000);
  }
});

test("a line each 20 ms, and the server is away for 8 s", async () => {
  const { server, operator, run, startAgain } = await openHost();
  const id = await run("slow");
  await until("some lines", async () => {
    const page = await operator.call("commands.output", { params: { commandId: id } });
    return page.nextOffset > 200;
  });
  await server.kill();
  await sleep(8000);
  await startAgain();
  expect(await endOf(operator, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(expectHonest(await outputOf(operator, id), 600, "server away")).toBe(600);
});

test.skipIf(!hasSmallDisks())("a line each 20 ms, and the disk is full for 7 s", async () => {
  const disk = await mountSmallDisk(temporaryFolder(), 24);
  const { operator, run } = await openHost(disk);
  const id = await run("slow");
  await sleep(2000);
  const empty = disk.fill();
  await sleep(7000);
  empty();
  expect(await endOf(operator, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(expectHonest(await outputOf(operator, id), 600, "disk full")).toBe(600);
});

test("the server is killed at random moments", async () => {
  const host = await openHost();
  let { server } = host;
  for (let round = 0; round < 5; round++) {
    const id = await host.run("slow");
    await sleep(Math.random() * 11_000);
    await server.kill();
    server = await host.startAgain();
    expect(await endOf(host.operator, id)).toMatchObject({ status: "SUCCEEDED" });
    expect(expectHonest(await outputOf(host.operator, id), 600, "server killed")).toBe(600);
  }
});

test("the agent is killed at random moments", async () => {
  const { operator, run, restartAgent } = await openHost();
  for (let round = 0; round < 5; round++) {
    const id = await run("slow");
    await until("the command runs", async () => {
      return (await operator.call("commands.get", { params: { commandId: id } })).startedAt;
    });
    await sleep(500 + Math.random() * 8_000);
    await restartAgent();
    expect(await endOf(operator, id)).toMatchObject({ errorCode: "AGENT_RESTARTED" });
    const parts = await outputOf(operator, id);
    expectHonest(parts, 600, "agent killed");
    expect(parts.at(-1)).toMatchObject({ kind: "LOST", bytes: 0 });
  }
});
