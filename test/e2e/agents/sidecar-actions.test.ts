// Tests the actions of a sidecar in its own process: programs and calls that succeed, fail, hang or
// return too much or invalid output, many concurrent actions, and a sidecar that stops or is killed.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tests are about placeholders

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import type { Client } from "../../../src/client/client.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { freePort, serveHttp } from "../../helpers/http/listen.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { startSidecar } from "../../helpers/process/sidecar.ts";

const sh = (script: string, ...words: string[]) => ({
  exec: { command: ["/bin/sh", "-c", script, "--", ...words] },
});
const form = '{"inputSchema":{"type":"object"},"currentState":{"size":5}}';

/** A long-running script that writes its process id and its child's to the file. */
const stays = (file: string) => `sleep 41 & printf '%s\\n' $$ $! >>${file}; wait`;
const hangs = (file: string) => `trap '' TERM; ${stays(file)}; wait`;
const floods = sh("yes | head -c 30000000; yes | head -c 30000000 >&2");

/** Actions whose side effects a test can count. */
const stateful = {
  count: {
    inputSchema: { properties: { n: { type: "integer" } }, required: ["n"] },
    execute: sh('echo "$1" >>counted', "${payload.n}"),
  },
  ok: { execute: sh('read -r it; echo "$it"'), prepare: sh(`echo '${form}'`) },
  stay: { execute: sh(stays("stays")), prepare: sh(stays("stays-form")) },
};

const byProgram = {
  ...stateful,
  fail: { execute: sh("echo why >&2; exit 4"), prepare: sh("echo no form >&2; exit 1") },
  hang: { timeout: 2, execute: sh(hangs("hung")), prepare: sh(hangs("hung-form")) },
  flood: { execute: floods, prepare: floods },
  "flood-form": { execute: sh(""), prepare: sh("printf '{'; yes | head -c 30000000") },
  junk: {
    execute: sh("printf '\\377\\000\\033[31m{\"half\":'"),
    prepare: sh("printf '\\377 state'"),
  },
};

/** Starts a service, and returns the actions that call it. */
async function actionsByCall() {
  const url = await serveHttp((request, response) => {
    if (request.url === "/form") response.end(form);
    else if (request.url === "/fail")
      response.writeHead(503).end('{"error":{"code":"BUSY","message":"Later."}}');
    else if (request.url === "/flood") response.end(Buffer.alloc(5_000_000, "x"));
    else if (request.url === "/junk") response.end(Buffer.from([0xff, 0x00, 0x7b]));
    else if (request.url !== "/hang") request.pipe(response);
  });
  const call = (execute: string, prepare = execute) => ({
    execute: { http: { url: url + execute } },
    prepare: { http: { url: url + prepare } },
  });
  return {
    "http-ok": call("/ok/${payload.a}", "/form"),
    "http-fail": call("/fail"),
    "http-hang": { timeout: 2, ...call("/hang") },
    "http-flood": call("/flood"),
    "http-junk": call("/junk"),
    away: { execute: { http: { url: `http://127.0.0.1:${await freePort()}/` } } },
  };
}

const succeeded = (output: unknown) => ({ status: "SUCCEEDED", result: { output } });
const failed = (errorCode: string, errorMessage: unknown = expect.any(String)) => ({
  status: "FAILED",
  errorCode,
  errorMessage,
});
const unprepared = (message: string) => ({
  code: "ACTION_PREPARE_FAILED",
  message: expect.stringContaining(message),
});

/** Actions that hang come first, because a command expires while it waits. */
const executions: [string, object][] = [
  ["hang", failed("ACTION_TIMED_OUT")],
  ["http-hang", failed("ACTION_TIMED_OUT")],
  ["ok", succeeded({ a: "x y" })],
  ["fail", failed("PROGRAM_FAILED", "why")],
  ["flood", succeeded({ truncated: true })],
  ["junk", succeeded('�\0\u001b[31m{"half":')],
  ["http-ok", succeeded({ a: "x y" })],
  ["http-fail", failed("BUSY", "Later.")],
  ["http-flood", succeeded({ truncated: true })],
  ["http-junk", succeeded("�\0{")],
  ["away", failed("SERVICE_UNREACHABLE")],
];
const preparations: [string, object][] = [
  ["ok", { currentState: { size: 5 } }],
  ["junk", { currentState: "� state" }],
  ["http-ok", { currentState: { size: 5 } }],
  ["fail", unprepared("no form")],
  ["http-fail", unprepared("Later.")],
  ["flood", { currentState: { truncated: true } }],
  ["http-flood", { currentState: { truncated: true } }],
  ["flood-form", unprepared("The form is larger than")],
  ["hang", { code: expect.stringMatching(/^ACTION_PREPARE_(FAILED|TIMEOUT)$/) }],
  ["http-hang", { code: expect.stringMatching(/^ACTION_PREPARE_(FAILED|TIMEOUT)$/) }],
];

test("every kind of action ends as expected when many run concurrently and the agent stops during one", {
  timeout: 60_000,
}, async () => {
  const host = await openHost({ ...byProgram, ...(await actionsByCall()) });
  const { folder, order, outcomeOf, prepare, run } = host;
  const first = await host.start();
  const outcomes = executions.map(([name]) =>
    run(name.startsWith("http-") ? "two" : "one", name, { a: "x y" }),
  );
  const forms = preparations.map(([name]) => prepare("two", name));
  const numbers = Array.from({ length: 20 }, (_, n) => n);
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

  await host.start();
  expect(await run("two", "ok")).toMatchObject({ status: "SUCCEEDED" });
  expect(linesOf(join(folder, "stays"))).toHaveLength(2);
});

test("an agent that is killed during a command reports it after the restart and does not run it again", {
  timeout: 60_000,
}, async () => {
  const { folder, order, outcomeOf, run, start } = await openHost(stateful);
  const first = await start();
  const staying = await order("one", "stay");
  const pids = await pidsIn(join(folder, "stays"));
  onTestFinished(() => void process.kill(-pids[0]!, "SIGKILL"));
  expect(await first.kill()).toMatchObject({ signal: "SIGKILL" });

  await start();
  expect(await outcomeOf(staying)).toMatchObject(failed("AGENT_RESTARTED"));
  expect(await run("one", "ok")).toMatchObject({ status: "SUCCEEDED" });
  expect(linesOf(join(folder, "stays"))).toHaveLength(2);
  // Nothing can end the program of a killed agent (docs/sidecar.md).
  expect(pids.map(isAlive)).toEqual([true, true]);
});

/** Starts a server, and writes the agent.yaml of a host with these actions. */
async function openHost(actions: Record<string, object>) {
  const server = await listenTestApp();
  const client: Client = server.as("operator");
  const folder = temporaryFolder();
  const file = join(folder, "agent.yaml");
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const inputSchema = { type: "object", properties: { a: { type: "string" } } };
  const listed = Object.entries(actions).map(([name, one]) => ({ name, inputSchema, ...one }));
  const config = {
    ...{ server: server.url, registrationToken: token, agent: { code: "edge" }, stateDir: "state" },
    ...{ concurrency: 40, stopGrace: 0.2 },
    services: ["one", "two"].map((code) => ({ code, version: "1", actions: listed })),
  };
  writeFileSync(file, stringify(config));

  const target = async (code: string, actionName: string) => {
    const { data } = await client.page("services.list", { query: { q: code } });
    return { serviceId: data[0]!.id, actionName };
  };
  const order = async (code: string, actionName: string, payload: JsonObject = {}) => {
    const params = await target(code, actionName);
    const input = { params, body: { payload }, query: { queue: true } };
    return (await client.call("actions.execute", input)).command.id;
  };
  const outcomeOf = (commandId: string) =>
    client.call("commands.get", { params: { commandId }, query: { wait: 20 } });
  return {
    folder,
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
