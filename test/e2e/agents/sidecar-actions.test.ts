// Tests a sidecar in its own process that runs many actions and stops during one. The outcome of each
// kind of action is tested in test/agent/sidecar/actions.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests are about placeholders

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

const sh = (script: string, ...words: string[]) => ({
  exec: { command: ["/bin/sh", "-c", script, "--", ...words] },
});
const form = '{"inputSchema":{"type":"object"},"currentState":{"size":5}}';

/** A long-running script that writes its process id and its child's to the file. */
const stays = (file: string) => `sleep 41 & printf '%s\\n' $$ $! >>${file}; wait`;
const hangs = (file: string) => `trap '' TERM; ${stays(file)}; wait`;
const floods = sh("yes | head -c 3000000; yes | head -c 3000000 >&2");

const actions = {
  count: {
    inputSchema: { properties: { n: { type: "integer" } }, required: ["n"] },
    execute: sh('echo "$1" >>counted', "${payload.n}"),
  },
  ok: { execute: sh('read -r it; echo "$it"'), prepare: sh(`echo '${form}'`) },
  stay: { execute: sh(stays("stays")), prepare: sh(stays("stays-form")) },
  fail: { execute: sh("echo why >&2; exit 4"), prepare: sh("echo no form >&2; exit 1") },
  hang: { timeout: 2, execute: sh(hangs("hung")), prepare: sh(hangs("hung-form")) },
  flood: { execute: floods, prepare: floods },
};

const succeeded = (output: unknown) => ({ status: "SUCCEEDED", result: { output } });
const failed = (errorCode: string) => ({ status: "FAILED", errorCode });
const unprepared = (message: string) => ({
  code: "ACTION_PREPARE_FAILED",
  message: expect.stringContaining(message),
});

/** The action that hangs comes first, because a command expires while it waits. */
const executions: [string, object][] = [
  ["hang", failed("ACTION_TIMED_OUT")],
  ["ok", succeeded({ a: "x y" })],
  ["fail", { ...failed("PROGRAM_FAILED"), errorMessage: "why" }],
  ["flood", succeeded({ truncated: true })],
];
const preparations: [string, object][] = [
  ["ok", { currentState: { size: 5 } }],
  ["fail", unprepared("no form")],
  ["flood", { currentState: { truncated: true } }],
  ["hang", { code: expect.stringMatching(/^ACTION_PREPARE_(FAILED|TIMEOUT)$/) }],
];

test("every action ends as expected when many run concurrently and the agent stops during one", {
  timeout: 60_000,
}, async () => {
  const { folder, order, outcomeOf, prepare, run, start } = await openHost();
  const first = await start();
  const outcomes = executions.map(([name]) => run("one", name, { a: "x y" }));
  const forms = preparations.map(([name]) => prepare("two", name));
  const numbers = Array.from({ length: 8 }, (_, n) => n);
  const counts: string[] = [];
  for (const n of numbers) counts.push(await order(n % 2 ? "one" : "two", "count", { n }));
  for (const [at, [name, expected]] of executions.entries()) {
    expect(await outcomes[at], name).toMatchObject(expected);
  }
  for (const [at, [name, expected]] of preparations.entries()) {
    expect(await forms[at], `prepare of ${name}`).toMatchObject(expected);
  }
  for (const count of counts) {
    expect(await outcomeOf(count)).toMatchObject({ status: "SUCCEEDED" });
  }
  const counted = linesOf(join(folder, "counted")).map(Number);
  for (const rest of [0, 1]) {
    const ofService = (n: number) => n % 2 === rest;
    expect(counted.filter(ofService)).toEqual(numbers.filter(ofService));
  }
  for (const name of ["hung", "hung-form"]) {
    const pids = await pidsIn(join(folder, name));
    await until(`the end of ${name}`, () => !pids.some(isAlive));
  }

  const staying = run("two", "stay");
  const preparing = prepare("two", "stay");
  const files = ["stays", "stays-form"].map((name) => pidsIn(join(folder, name)));
  const pids = (await Promise.all(files)).flat();
  first.signal("SIGTERM");
  expect(await first.ended).toMatchObject({ status: 0 });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await staying).toMatchObject(failed("AGENT_STOPPED"));
  expect(await preparing).toMatchObject(unprepared("The agent stopped"));

  await start();
  expect(await run("two", "ok")).toMatchObject({ status: "SUCCEEDED" });
  expect(linesOf(join(folder, "stays"))).toHaveLength(2);
});

/** Starts a server, and writes the agent.yaml of a host with two services that have the actions. */
async function openHost() {
  const server = await listenTestApp();
  const client = server.as("operator");
  const inputSchema = { type: "object", properties: { a: { type: "string" } } };
  const listed = Object.entries(actions).map(([name, one]) => ({ name, inputSchema, ...one }));
  const services = ["one", "two"].map((code) => ({ code, version: "1", actions: listed }));
  const file = await agentFile(server, client, { services, concurrency: 40, stopGrace: 0.2 });

  const target = async (code: string, actionName: string) => {
    const { data } = await client.page("services.list", { query: { q: code } });
    return { serviceId: data[0]!.id, actionName };
  };
  const order = async (code: string, actionName: string, payload: JsonObject = {}) => {
    const params = await target(code, actionName);
    const input = { params, body: { payload }, query: { queue: true } };
    return (await client.call("actions.execute", input)).command!.id;
  };
  const outcomeOf = (commandId: string) =>
    client.call("commands.get", { params: { commandId }, query: { wait: 20 } });
  return {
    folder: dirname(file),
    order,
    outcomeOf,
    run: async (...ordered: Parameters<typeof order>) => outcomeOf(await order(...ordered)),
    /** Prepares an action. Returns its form, or the error. */
    prepare: async (...of: Parameters<typeof target>): Promise<unknown> => {
      const params = await target(...of);
      return client.call("actions.prepare", { params }).catch((error: unknown) => error);
    },
    async start() {
      const sidecar = startSidecar(file);
      await sidecar.said("the agent is running");
      return sidecar;
    },
  };
}

/** Waits until a program and its child run, and returns their process ids. */
function pidsIn(file: string): Promise<number[]> {
  return until(`the program of ${file}`, () => {
    const lines = linesOf(file);
    return lines.length === 2 && lines.map(Number);
  });
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
