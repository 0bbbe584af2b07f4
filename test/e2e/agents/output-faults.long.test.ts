// Output is complete, or says what is missing, with a full disk, and when the server or the agent is
// killed at random moments. Each fault affects 20 outputs, and the test prints each of them.
// agent/work/command-output.test.ts tests small writes, and a server that is away.

import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Reply } from "../../../src/api/index.ts";
import { type Client, createClient } from "../../../src/client/client.ts";
import { httpTransport } from "../../../src/client/transport-http.ts";
import { outputOf } from "../../agent/output-of.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { send, startServer, until } from "../../helpers/process/process.ts";
import { startOnDisk } from "../../helpers/process/server-on-disk.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";
import { hasSmallDisks, mountSmallDisk, type SmallDisk } from "../../helpers/process/small-disk.ts";
import { printedSeed, randomNumbers } from "../../helpers/random.ts";

type Command = Reply<"commands.get">;
/** How many lines the action writes. */
const lines = 600;

/**
 * Writes `line 0`, `line 1` …, with a pause after each, and adds a byte to a file for each line that
 * is written.
 */
const program = `const { openSync, writeSync } = require("node:fs");
const written = openSync(process.argv[2], "w");
const pause = new Int32Array(new SharedArrayBuffer(4));
for (let n = 0; n < ${lines}; n++) {
  writeSync(1, "line " + n + "\\n");
  writeSync(written, ".");
  Atomics.wait(pause, 0, 0, 20);
}
`;

/** The length of an outage is the fault itself, so nothing can replace this wait. */
const outageOf = (ms: number) => setTimeout(ms);

interface Box {
  serviceId: string;
  /** A file with one byte for each line that the program has written. */
  written: string;
}

interface Run {
  commandId: string;
  linesWritten(): number;
}

function serviceIn(folder: string, code: string) {
  const file = join(folder, "writer.cjs");
  writeFileSync(file, program);
  const exec = { command: [process.execPath, file, join(folder, code)] };
  const actions = [{ name: "write", timeout: "2m", execute: { exec } }];
  return { code, version: "1", actions };
}

/** Starts a server, and an agent with services whose actions run at the same time. */
async function openHost(count: number, disk?: SmallDisk) {
  const started = await startOnDisk(disk);
  let { server } = started;
  const { dataDir } = server;
  const operator = createClient(
    httpTransport({ url: server.url, bearer: started.key, userAgent: "test" }),
  );
  onTestFinished(() => operator.close());
  const folder = temporaryFolder();
  const codes = Array.from({ length: count }, (_, n) => `box-${n + 1}`);
  const services = codes.map((code) => serviceIn(folder, code));
  const file = await agentFile(server, operator, { services, concurrency: count });
  let sidecar = startSidecar(file);
  const found = await until("the services are there", async () => {
    const rows = await operator.call("services.list");
    return rows.length === count && rows;
  });
  const boxes = found.map(({ id, code }): Box => ({ serviceId: id, written: join(folder, code) }));
  const { url } = server;

  async function runOn({ serviceId, written }: Box): Promise<Run> {
    rmSync(written, { force: true });
    const input = { params: { serviceId, actionName: "write" }, body: {} };
    return {
      commandId: (await operator.call("actions.execute", input)).command!.id,
      linesWritten: () => statSync(written, { throwIfNoEntry: false })?.size ?? 0,
    };
  }

  return {
    operator,
    health: async () => (await send(url, "GET", "/api/system/health")).status,
    /** Runs the action on all services. */
    runAll: () => Promise.all(boxes.map(runOn)),
    killServer: () => server.kill(),
    restartServer: async () => {
      server = await startServer({ dataDir, port: Number(new URL(url).port) });
    },
    restartAgent: async () => {
      await sidecar.kill();
      sidecar = startSidecar(file);
    },
  };
}

function endOf(operator: Client, { commandId }: Run): Promise<Command> {
  const input = { params: { commandId }, query: { wait: 5 } };
  return until(
    "the end",
    async () => {
      const command = await operator.call("commands.get", input).catch(() => null);
      return command?.completedAt ? command : null;
    },
    120_000,
  );
}

async function bytesStored(operator: Client, { commandId }: Run): Promise<number> {
  return (await operator.call("commands.output", { params: { commandId } })).nextOffset;
}

interface Told {
  status: Command["status"];
  errorCode: string | null;
  /** Lines that an operator can read. */
  lines: number;
  /** Whether a mark says that a part is missing. */
  isMarked: boolean;
}

const whole: Told = { status: "SUCCEEDED", errorCode: null, lines, isMarked: false };

/**
 * Waits until the run has ended, and prints what an operator sees. Fails unless the output has all
 * lines, or a mark where some are missing.
 */
async function toldOf(operator: Client, run: Run, what: string): Promise<Told> {
  const { status, errorCode } = await endOf(operator, run);
  const parts = await outputOf(operator, run.commandId);
  const all = Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
  for (const { kind, text, offset, bytes } of parts) {
    if (kind === "TEXT") expect(text).toBe(all.slice(offset, offset + bytes));
  }
  const isEndMarked = parts.at(-1)?.kind === "LOST" && parts.at(-1)?.bytes === 0;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (!isEndMarked) expect(bytes).toBe(all.length);
  const text = parts.map((part) => part.text ?? "").join("");
  const told = {
    ...{ status, errorCode: errorCode ?? null },
    lines: text.split("\n").length - 1,
    isMarked: parts.some(({ kind }) => kind === "LOST"),
  };
  const mark = told.isMarked ? ", what is missing is marked" : "";
  const end = `${status}${errorCode ? ` ${errorCode}` : ""}`;
  process.stderr.write(`${what}: ${end}, ${told.lines} of ${lines} lines${mark}\n`);
  return told;
}

const toldOfAll = (operator: Client, runs: readonly Run[], what: string) =>
  Promise.all(runs.map((run) => toldOf(operator, run, what)));

test.skipIf(!hasSmallDisks())("a line each 20 ms, and the disk is full for 7 s", async () => {
  const disk = await mountSmallDisk(temporaryFolder(), 24);
  const { operator, runAll, health } = await openHost(10, disk);
  for (let round = 1; round <= 2; round++) {
    const runs = await runAll();
    for (const run of runs) {
      await until("some output is stored", async () => (await bytesStored(operator, run)) > 200);
    }
    const empty = disk.fill();
    await until("the server notices the full disk", async () => (await health()) === 503);
    await outageOf(7000);
    empty();
    const told = await toldOfAll(operator, runs, `disk full, round ${round}`);
    expect(told).toEqual(told.map(() => whole));
  }
});

/**
 * Returns the lines at which to break something: the first line, before any output is sent, and a
 * random line in each tenth of the output.
 */
function momentsOf(): number[] {
  const below = randomNumbers(printedSeed());
  const tenth = lines / 10;
  return [1, ...Array.from({ length: 10 }, (_, n) => 1 + n * tenth + below(tenth))];
}

test("the server is killed at random moments", async () => {
  const { operator, runAll, killServer, restartServer } = await openHost(2);
  for (const moment of momentsOf()) {
    const runs = await runAll();
    await until(`${moment} lines`, () => runs.every((run) => run.linesWritten() >= moment));
    await killServer();
    await restartServer();
    const told = await toldOfAll(operator, runs, `server killed at line ${moment}`);
    expect(told).toEqual(told.map(() => whole));
  }
});

test("the agent is killed at random moments", async () => {
  const { operator, runAll, restartAgent } = await openHost(2);
  for (const moment of momentsOf()) {
    const runs = await runAll();
    await until(`${moment} lines`, () => runs.every((run) => run.linesWritten() >= moment));
    await restartAgent();
    for (const told of await toldOfAll(operator, runs, `agent killed at line ${moment}`)) {
      const { status } = told;
      if (status === "SUCCEEDED") expect(told).toEqual(whole);
      else expect(told).toMatchObject({ errorCode: "AGENT_RESTARTED", isMarked: true });
    }
  }
});
