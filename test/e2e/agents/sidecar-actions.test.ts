// The actions of a sidecar that is a process of its own: programs and calls that are well, fail, hang,
// flood and print junk; many at once; a stop in the middle of one; and an end that nobody is told of.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { connect } from "../../../src/cli/connecting/connect.ts";
import type { Client } from "../../../src/client/client.ts";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { closedPort, serveHttp } from "../../agent/sidecar/services.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import {
  logLines,
  type Program,
  startProgram,
  startServer,
  until,
} from "../../helpers/process/process.ts";

const sh = (script: string, ...words: string[]) => ({
  exec: { command: ["/bin/sh", "-c", script, "--", ...words] },
});
const form = '{"inputSchema":{"type":"object"},"currentState":{"size":5}}';

/** Tells of itself and of its child in the file, and ends by itself only after a while. */
const stays = (file: string) => `sleep 41 & printf '%s\\n' $$ $! >>${file}; wait`;
const hangs = (file: string) => `trap '' TERM; ${stays(file)}; wait`;

const byProgram = {
  ok: { execute: sh('read -r it; echo "$it"'), prepare: sh(`echo '${form}'`) },
  fail: { execute: sh("echo why >&2; exit 4"), prepare: sh("echo no form >&2; exit 1") },
  hang: { timeout: 3, execute: sh(hangs("hung")), prepare: sh(hangs("hung-form")) },
  flood: {
    execute: sh("yes | head -c 30000000; yes | head -c 30000000 >&2"),
    prepare: sh("yes | head -c 30000000; yes | head -c 30000000 >&2"),
  },
  "flood-form": { execute: sh(""), prepare: sh("printf '{'; yes | head -c 30000000") },
  junk: {
    execute: sh("printf '\\377\\000\\033[31m{\"half\":'"),
    prepare: sh("printf '\\377 state'"),
  },
};

const byCall = (url: string, nobody: string) => ({
  "http-ok": {
    execute: { http: { url: `${url}/ok/\${payload.a}` } },
    prepare: { http: { url: `${url}/form` } },
  },
  "http-fail": {
    execute: { http: { url: `${url}/fail` } },
    prepare: { http: { url: `${url}/fail` } },
  },
  "http-hang": {
    timeout: 3,
    execute: { http: { url: `${url}/hang` } },
    prepare: { http: { url: `${url}/hang` } },
  },
  "http-flood": {
    execute: { http: { url: `${url}/flood` } },
    prepare: { http: { url: `${url}/flood` } },
  },
  "http-junk": { execute: { http: { url: `${url}/junk` } } },
  away: { execute: { http: { url: nobody } } },
});

const service: RequestListener = (request, response) => {
  if (request.url === "/form") response.end(form);
  else if (request.url === "/fail")
    response.writeHead(503).end('{"error":{"code":"BUSY","message":"Later."}}');
  else if (request.url === "/flood") response.end(Buffer.alloc(5_000_000, "x"));
  else if (request.url === "/junk") response.end(Buffer.from([0xff, 0x00, 0x7b]));
  else if (request.url !== "/hang") request.pipe(response);
};

const truncated = { status: "SUCCEEDED", result: { output: { truncated: true } } };
const failed = (errorCode: string, errorMessage: unknown = expect.any(String)) => ({
  status: "FAILED",
  errorCode,
  errorMessage,
});
/** On a busy machine the server may say so before the agent does. */
const timedOut = {
  status: "FAILED",
  errorCode: expect.stringMatching(/^(ACTION|COMMAND)_TIMED_OUT$/),
};
const succeeded = (output: unknown) => ({ status: "SUCCEEDED", result: { output } });

/** Those that hang are the first of their services: the time of what waits behind them runs too. */
const executions: [string, object][] = [
  ["hang", timedOut],
  ["http-hang", timedOut],
  ["ok", succeeded({ a: "x y" })],
  ["fail", failed("PROGRAM_FAILED", "why")],
  ["flood", truncated],
  ["junk", succeeded('�\0\u001b[31m{"half":')],
  ["http-ok", succeeded({ a: "x y" })],
  ["http-fail", failed("BUSY", "Later.")],
  ["http-flood", truncated],
  ["http-junk", succeeded("�\0{")],
  ["away", failed("SERVICE_UNREACHABLE")],
];
const unprepared = (message: string) => ({
  code: "ACTION_PREPARE_FAILED",
  message: expect.stringContaining(message),
});
const late = { code: expect.stringMatching(/^ACTION_PREPARE_(FAILED|TIMEOUT)$/) };
const preparations: [string, object][] = [
  ["ok", { currentState: { size: 5 } }],
  ["junk", { currentState: "� state" }],
  ["http-ok", { currentState: { size: 5 } }],
  ["fail", unprepared("no form")],
  ["http-fail", unprepared("Later.")],
  ["flood", { currentState: { truncated: true } }],
  ["http-flood", { currentState: { truncated: true } }],
  ["flood-form", unprepared("The form is larger than")],
  ["hang", late],
  ["http-hang", late],
];

test("each kind of action, many at once, and a stop in the middle of one", {
  timeout: 60_000,
}, async () => {
  const nobody = `http://127.0.0.1:${await closedPort()}/`;
  const calls = byCall(await serveHttp(service), nobody);
  const { client, folder, file } = await openHost({ ...byProgram, ...calls, ...stateful });
  const first = await startSidecar(file);
  const run = runnerFor(client);

  const one = await serviceId(client, "one");
  const two = await serviceId(client, "two");
  const outcomes = executions.map(([name]) =>
    run(name.startsWith("http-") ? two : one, name, { a: "x y" }),
  );
  const forms = preparations.map(([name]) => prepared(client, two, name));
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const counts: string[] = [];
  for (const n of numbers) counts.push(await order(client, n % 2 ? one : two, "count", { n }));
  for (const [at, [name, expected]] of executions.entries()) {
    expect(await outcomes[at], name).toMatchObject(expected);
  }
  for (const [at, [name, expected]] of preparations.entries()) {
    expect(await forms[at], `prepare of ${name}`).toMatchObject(expected);
  }
  for (const count of counts) {
    expect(await outcomeOf(client, count)).toMatchObject({ status: "SUCCEEDED" });
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

  const staying = run(two, "stay", {});
  const form = prepared(client, two, "stay");
  const pids = [
    ...(await pidsIn(join(folder, "stays"))),
    ...(await pidsIn(join(folder, "stays-form"))),
  ];
  first.signal("SIGTERM");
  expect(await first.ended).toMatchObject({ status: 0 });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await staying).toMatchObject(failed("AGENT_STOPPED"));
  expect(await form).toMatchObject(unprepared("The agent stopped"));

  await startSidecar(file);
  expect(await run(two, "ok", {})).toMatchObject({
    status: "SUCCEEDED",
  });
  expect(linesOf(join(folder, "stays"))).toHaveLength(2);
});

test("the agent is killed while a program runs: it is told, and the program is not run again", {
  timeout: 60_000,
}, async () => {
  const { client, folder, file } = await openHost({ ...byProgram, ...stateful });
  const first = await startSidecar(file);
  const one = await serviceId(client, "one");
  const staying = await order(client, one, "stay", {});
  const pids = await pidsIn(join(folder, "stays"));
  onTestFinished(() => void process.kill(-pids[0]!, "SIGKILL"));
  first.signal("SIGKILL");
  expect(await first.ended).toMatchObject({ signal: "SIGKILL" });

  await startSidecar(file);
  expect(await outcomeOf(client, staying)).toMatchObject(failed("AGENT_RESTARTED"));
  expect(await runnerFor(client)(one, "ok", {})).toMatchObject({ status: "SUCCEEDED" });
  expect(linesOf(join(folder, "stays"))).toHaveLength(2);
  // As docs/sidecar.md tells: nobody was there to end it.
  expect(pids.map(isAlive)).toEqual([true, true]);
});

/** A server, and the agent.yaml of a host with these actions. */
async function openHost(actions: Record<string, object>) {
  const server = await startServer();
  const client = await openFile(server.file);
  const folder = temporaryFolder();
  const file = join(folder, "agent.yaml");
  const { token } = await client.call("registration-tokens.create", { body: {} });
  writeFileSync(file, stringify(configOf(server.url, token, actions)));
  return { client, folder, file };
}

/** Of a program and its child, once they run. */
function pidsIn(file: string): Promise<number[]> {
  return until(`the program of ${file}`, () => {
    const lines = linesOf(file);
    return lines.length === 2 && lines.map(Number);
  });
}

/** Their deeds are counted. */
const stateful = {
  count: {
    inputSchema: { properties: { n: { type: "integer" } }, required: ["n"] },
    execute: sh('echo "$1" >>counted', "${payload.n}"),
  },
  stay: { execute: sh(stays("stays")), prepare: sh(stays("stays-form")) },
};

function configOf(server: string, registrationToken: string, actions: Record<string, object>) {
  const inputSchema = { type: "object", properties: { a: { type: "string" } } };
  const listed = Object.entries(actions).map(([name, action]) => ({
    name,
    inputSchema,
    ...action,
  }));
  const services = ["one", "two"].map((code) => ({ code, version: "1", actions: listed }));
  const agent = { code: "edge" };
  return {
    server,
    registrationToken,
    agent,
    stateDir: "state",
    concurrency: 40,
    stopGrace: 0.2,
    services,
  };
}

async function startSidecar(file: string): Promise<Program> {
  const program = startProgram("platform", [
    "agent",
    "run",
    "--config",
    file,
    "--log-format",
    "json",
  ]);
  await until("the sidecar is at work", () => {
    if (!program.running()) throw new Error(`the sidecar ended at once: ${program.stderr()}`);
    return logLines(program.stderr()).find(({ msg }) => msg === "the agent is running");
  });
  return program;
}

function openFile(db: string): Promise<Client> {
  return connect({ env: {}, now: () => Date.now() } as Parameters<typeof connect>[0], { db });
}

async function serviceId(client: Client, code: string): Promise<string> {
  const { data } = await client.page("services.list", { query: { pageSize: 200 } });
  return data.find((found) => found.code === code)!.id;
}

/** Has an action run to its end. */
function runnerFor(client: Client) {
  return async (serviceId: string, actionName: string, payload: JsonObject) =>
    outcomeOf(client, await order(client, serviceId, actionName, payload));
}

/** Answers the id of the command. */
async function order(client: Client, serviceId: string, actionName: string, payload: JsonObject) {
  const params = { serviceId, actionName };
  const { command } = await client.call("actions.execute", {
    params,
    body: { payload },
    query: { queue: true },
  });
  return command.id;
}

function outcomeOf(client: Client, commandId: string) {
  return client.call("commands.get", { params: { commandId }, query: { wait: 20 } });
}

/** The form, or the error in its place. */
function prepared(client: Client, serviceId: string, actionName: string): Promise<unknown> {
  const params = { serviceId, actionName };
  return client.call("actions.prepare", { params }).catch((error: unknown) => error);
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
