// The actions of a sidecar that is a process of its own: programs and calls that are well, fail, hang,
// flood and print junk; many at once; and a stop in the middle of one.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { connect } from "../../src/cli/connect.ts";
import type { Client } from "../../src/client/client.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { isAlive } from "../helpers/alive.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { logLines, type Program, startProgram, startServer, until } from "../helpers/process.ts";

const sh = (script: string, ...words: string[]) => ({
  exec: { command: ["/bin/sh", "-c", script, "--", ...words] },
});
const form = '{"inputSchema":{"type":"object"},"currentState":{"size":5}}';

const byProgram = {
  ok: { execute: sh('read -r it; echo "$it"'), prepare: sh(`echo '${form}'`) },
  fail: { execute: sh("echo why >&2; exit 4"), prepare: sh("echo no form >&2; exit 1") },
  hang: { timeout: 2, execute: sh("trap '' TERM; echo $$ >hung; sleep 40 & wait; wait") },
  flood: { execute: sh("yes | head -c 30000000; yes | head -c 30000000 >&2") },
  junk: {
    execute: sh("printf '\\377\\000\\033[31m{\"half\":'"),
    prepare: sh("printf '\\377 state'"),
  },
};

const byCall = (url: string) => ({
  "http-ok": {
    execute: { http: { url: `${url}/ok/\${payload.a}` } },
    prepare: { http: { url: `${url}/form` } },
  },
  "http-fail": {
    execute: { http: { url: `${url}/fail` } },
    prepare: { http: { url: `${url}/fail` } },
  },
  "http-hang": { timeout: 2, execute: { http: { url: `${url}/hang` } } },
  "http-flood": { execute: { http: { url: `${url}/flood` } } },
  "http-junk": { execute: { http: { url: `${url}/junk` } } },
  away: { execute: { http: { url: "http://127.0.0.1:1/" } } },
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
const preparations: [string, object][] = [
  ["ok", { currentState: { size: 5 } }],
  ["junk", { currentState: "� state" }],
  ["http-ok", { currentState: { size: 5 } }],
  ["fail", { code: "ACTION_PREPARE_FAILED", message: expect.stringContaining("no form") }],
  ["http-fail", { code: "ACTION_PREPARE_FAILED", message: expect.stringContaining("Later.") }],
];

test("each kind of action, many at once, and a stop in the middle of one", {
  timeout: 60_000,
}, async () => {
  const server = await startServer();
  const client = await openFile(server.file);
  const folder = temporaryFolder();
  const file = join(folder, "agent.yaml");
  const { token } = await client.call("registration-tokens.create", { body: {} });
  const actions = { ...byProgram, ...byCall(await serve(service)), ...stateful };
  writeFileSync(file, stringify(configOf(server.url, token, actions)));
  const first = await startSidecar(file);
  const run = runnerFor(client);

  const one = await serviceId(client, "one");
  const two = await serviceId(client, "two");
  const outcomes = executions.map(([name]) =>
    run(name.startsWith("http-") ? two : one, name, { a: "x y" }),
  );
  const forms = preparations.map(([name]) => prepared(client, two, name));
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const counts = numbers.map((n) => run(n % 2 ? one : two, "count", { n }));
  for (const [at, [name, expected]] of executions.entries()) {
    expect(await outcomes[at], name).toMatchObject(expected);
  }
  for (const [at, [name, expected]] of preparations.entries()) {
    expect(await forms[at], `prepare of ${name}`).toMatchObject(expected);
  }
  for (const count of counts) expect(await count).toMatchObject({ status: "SUCCEEDED" });
  expect(
    linesOf(join(folder, "counted"))
      .map(Number)
      .sort((a, b) => a - b),
  ).toEqual(numbers);
  await until("the end of what hung", () => !isAlive(Number(linesOf(join(folder, "hung"))[0])));

  const stays = join(folder, "stays");
  const staying = run(two, "stay", {});
  const pids = await until(
    "the program",
    () => linesOf(stays).length === 2 && linesOf(stays).map(Number),
  );
  first.signal("SIGTERM");
  expect(await first.ended).toMatchObject({ status: 0 });
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await staying).toMatchObject(failed("AGENT_STOPPED"));

  await startSidecar(file);
  expect(await run(two, "ok", {})).toMatchObject({
    status: "SUCCEEDED",
  });
  expect(linesOf(stays)).toHaveLength(2);
});

/** Their deeds are counted. */
const stateful = {
  count: {
    inputSchema: { properties: { n: { type: "integer" } }, required: ["n"] },
    execute: sh('echo "$1" >>counted', "${payload.n}"),
  },
  stay: { execute: sh("sleep 41 & printf '%s\\n' $$ $! >>stays; wait") },
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
    return logLines(program.stderr()).find(({ msg }) => msg === "the agent is at work");
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
  return async (serviceId: string, actionName: string, payload: JsonObject) => {
    const params = { serviceId, actionName };
    const { command } = await client.call("actions.execute", { params, body: { payload } });
    const { id: commandId } = command;
    return client.call("commands.get", { params: { commandId }, query: { wait: 20 } });
  };
}

/** The form, or the error in its place. */
function prepared(client: Client, serviceId: string, actionName: string): Promise<unknown> {
  const params = { serviceId, actionName };
  return client.call("actions.prepare", { params }).catch((error: unknown) => error);
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
