// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type ActionContext,
  ActionError,
  type DeliveredCommand,
} from "../../../../src/agent/index.ts";
import { actionOf } from "../../../../src/agent/sidecar/actions/actions.ts";
import { sidecarConfig } from "../../../../src/agent/sidecar/config/config.ts";
import { endAllPrograms } from "../../../../src/agent/sidecar/programs/process-group.ts";
import { CommandOutput } from "../../../../src/agent/work/output/command-output.ts";
import { runCommand } from "../../../../src/agent/work/run-command.ts";
import type { JsonObject } from "../../../../src/domain/payload/json.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { closedPort, serveHttp } from "../../../helpers/http/listen.ts";
import { noOutput } from "../../harness.ts";

const secrets = { KEY: "k-12345", API_TOKEN: "t-12345", BEARER: "Bearer t-12345" };
const names = { TENANT: "acme", KEYBOARD: "de", AUTHOR: "ana" };
const origin = { folder: "/", env: { PATH: process.env.PATH, ...names, ...secrets } };

function actionFrom(action: object) {
  const parsed = sidecarConfig.parse({
    server: "http://127.0.0.1:1",
    agent: { code: "edge" },
    stateDir: "state",
    services: [{ code: "one", version: "1", actions: [{ name: "act", ...action }] }],
  });
  return actionOf(parsed.services[0]!.actions[0]!, origin, () => undefined);
}

const sh = (script: string, ...words: string[]) => ({
  exec: { command: ["/bin/sh", "-c", script, "--", ...words] },
});

const contextOf = (signal: AbortSignal) => ({ signal, output: noOutput }) as ActionContext;

function execute(action: object, payload: JsonObject = {}, signal = new AbortController().signal) {
  return Promise.resolve(actionFrom(action).execute(payload, contextOf(signal)));
}

function prepare(handler: object) {
  const action = actionFrom({ execute: sh("exit 9"), prepare: handler });
  return action.prepare!(contextOf(new AbortController().signal));
}

async function failureOf(running: unknown) {
  const error = await Promise.resolve(running).then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ActionError);
  const { code, message, details } = error as ActionError;
  return { code, message, details };
}

afterAll(endAllPrograms);

test("the catalog entry contains the fields from agent.yaml", () => {
  const entry = {
    label: "Act",
    description: "Acts.",
    dangerLevel: "HIGH",
    requiresConfirmation: false,
    inputSchema: { type: "object" },
  };
  const action = actionFrom({ ...entry, timeout: "1m1s", execute: sh("") });
  expect(action).toMatchObject({ name: "act", ...entry, timeoutSeconds: 61 });
  expect(Object.keys(action)).not.toContain("prepare");
});

describe("what an action hides", () => {
  /** Runs the action as a command, whose result is cleaned before it is sent. */
  async function cleaned(action: object, isPrepare: boolean) {
    const { signal } = new AbortController();
    const output = new CommandOutput({
      send: async () => null,
      secrets: () => [],
      patience: async () => undefined,
      line: signal,
    });
    const command = { type: isPrepare ? "ACTION_PREPARE" : "ACTION_EXECUTE", payload: {} };
    const { result } = await runCommand({
      command: command as DeliveredCommand,
      action: actionFrom(action),
      timeMs: 60_000,
      stop: signal,
      cancel: signal,
      log: () => undefined,
      output: output.handle,
    });
    return isPrepare ? output.cleanPrepared(result) : output.clean(result);
  }

  const said = "t-12345 of acme";
  const shown = "[REDACTED] of acme";
  const httpTo = async (status: number): Promise<object> => {
    const url = await serveHttp((_, response) => void response.writeHead(status).end(said));
    const headers = { authorization: { env: "BEARER" }, "x-tenant": { env: "TENANT" } };
    return { http: { url, headers } };
  };
  const execSaying = async (status: number) => ({
    exec: {
      command: ["/bin/sh", "-c", `echo "${said}"; exit ${status}`],
      env: { TENANT: "acme" },
      passEnv: ["API_TOKEN"],
    },
  });

  test.each<[what: string, typeof httpTo, [success: number, failure: number], details: object]>([
    ["a call", httpTo, [200, 401], { status: 401, body: shown }],
    ["a program", execSaying, [0, 1], { exitStatus: 1, stdout: `${shown}\n` }],
  ])("by %s is removed from the result, the error and the current state", async (...given) => {
    const [, handlerFor, [success, failure], details] = given;
    expect(await cleaned({ execute: await handlerFor(success) }, false)).toMatchObject({
      output: shown,
    });
    const preparing = { execute: sh(""), prepare: await handlerFor(success) };
    expect(await cleaned(preparing, true)).toMatchObject({ output: { currentState: shown } });
    const failing = { execute: sh(""), prepare: await handlerFor(failure) };
    expect(await cleaned(failing, true)).toMatchObject({ error: { details } });
    expect(await cleaned({ execute: await handlerFor(failure) }, false)).toMatchObject({
      error: { details },
    });
  });
});

describe("a program", () => {
  test("gets the payload as a line and as arguments", async () => {
    const action = {
      inputSchema: { properties: { a: { type: "string" } } },
      execute: sh('read -r line; echo "$line$1"', "${payload.a}"),
    };
    expect(await execute(action, { a: "x; y" })).toBe('{"a":"x; y"}x; y');
  });

  test("runs with a payload that the library could not check", async () => {
    const inputSchema = { properties: { a: { pattern: "^(a+)+$" } }, required: ["b"] };
    expect(await execute({ inputSchema, execute: sh("echo run") }, { a: "1" })).toBe("run");
  });

  test("is not started if a value cannot be inserted into its command", async () => {
    const dash = { execute: { exec: { command: ["rm", "${payload.a}"] } } };
    expect(await failureOf(execute(dash, { a: "-rf" }))).toMatchObject({
      code: "PAYLOAD_INVALID",
      details: { issues: [{ path: "a" }] },
    });
  });

  test("that prints too much loses the end of its output", async () => {
    const output = await execute({ execute: sh("yes | head -c 1000000") });
    expect(output).toMatchObject({ truncated: true, bytes: 1_000_000 });
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThan(1_000_000);
  });

  const failed = (exitStatus: number | null, more: object) => ({
    code: "PROGRAM_FAILED",
    details: { exitStatus, signal: null, stderr: "", stdout: "", ...more },
  });
  test.each<[string, object]>([
    ["exit 3", { ...failed(3, {}), message: "The program exited with status 3." }],
    [
      "echo half; echo first >&2; echo why >&2; exit 1",
      { ...failed(1, { stdout: "half\n", stderr: "first\nwhy" }), message: "why" },
    ],
    [
      "echo so far >&2; kill -TERM $$",
      {
        ...failed(null, { signal: "SIGTERM", stderr: "so far" }),
        message: "The program was terminated by SIGTERM.",
      },
    ],
    [
      `echo '{"error":{"code":"DISK_FULL","message":"No room.","details":{"free":0}}}'; echo x >&2; exit 1`,
      { code: "DISK_FULL", message: "No room.", details: { free: 0 } },
    ],
    [
      `echo '{"error":{"message":"No code."}}'; exit 1`,
      { code: "PROGRAM_FAILED", message: "No code." },
    ],
  ])("that runs %s fails with the right error", async (script, failure) => {
    expect(await failureOf(execute({ execute: sh(script) }))).toMatchObject(failure);
  });

  test("for Node.js fails with a message that is neither the stack nor the version", async () => {
    const command = ["node", "-e", "throw Object.assign(new Error('no room'), { a: 1 })"];
    expect(await failureOf(execute({ execute: { exec: { command } } }))).toMatchObject({
      message: "Error: no room",
    });
  });

  test("that does not exist fails to start", async () => {
    const action = { execute: { exec: { command: ["no-such-program"] } } };
    expect(await failureOf(execute(action))).toMatchObject({
      code: "PROGRAM_NOT_STARTED",
      message: "The program no-such-program cannot be started: it is not in PATH.",
    });
  });

  test("that hangs fails with the signal's reason", async () => {
    const late = new ActionError("ACTION_TIMED_OUT", "late");
    const ender = new AbortController();
    const running = execute({ execute: sh("exec sleep 33") }, {}, ender.signal);
    ender.abort(late);
    await expect(running).rejects.toBe(late);
  });

  test("prints a form or a current state, or fails the prepare", async () => {
    const form = { inputSchema: { type: "object" }, currentState: { size: 5 } };
    expect(await prepare(sh(`cat; echo '${JSON.stringify(form)}'`))).toEqual(form);
    expect(await prepare(sh("echo 'size: 5'"))).toEqual({ currentState: "size: 5" });
    expect(await failureOf(prepare(sh("echo no >&2; exit 1")))).toMatchObject({ message: "no" });
  });

  test("fails if its form is not JSON, instead of using that text as the current state", async () => {
    const text = '{ "initialPayload": { "level": "debug", } }';
    expect(await failureOf(prepare(sh(`echo '${text}'`)))).toMatchObject({
      code: "FORM_INVALID",
      message: expect.stringContaining("is not JSON"),
    });
    expect(await prepare(sh("echo '{ 5 files }'"))).toEqual({ currentState: "{ 5 files }" });
  });
});

describe("a call", () => {
  test("sends the payload, and returns the body", async () => {
    const url = await serveHttp((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ method, url, key: headers.key, for: headers.for, body }));
      });
    });
    const headers = { key: { env: "KEY" }, for: "${payload.a}" };
    const http = { url: `${url}/x/\${payload.a}?b=\${payload.b}`, headers };
    expect(await execute({ execute: { http } }, { a: "a/b" })).toEqual({
      method: "POST",
      url: "/x/a%2Fb",
      key: "k-12345",
      for: "a/b",
      body: '{"a":"a/b"}',
    });
    const get = { http: { ...http, method: "GET" } };
    expect(await execute({ execute: get }, { a: "a" })).toMatchObject({ method: "GET", body: "" });
    expect(await prepare({ http: { url } })).toMatchObject({ currentState: { method: "GET" } });
    const put = { http: { url, method: "PUT" } };
    expect(await prepare(put)).toMatchObject({ currentState: { method: "PUT", body: "" } });
  });

  /** Returns what the call hides when it sends this header. */
  async function hiddenFor(name: string, source: unknown): Promise<string[]> {
    const hidden: string[] = [];
    const output = { ...noOutput, hide: (...secrets: string[]) => void hidden.push(...secrets) };
    const url = await serveHttp((_, response) => void response.end());
    const action = actionFrom({ execute: { http: { url, headers: { [name]: source } } } });
    const { signal } = new AbortController();
    await action.execute({ pin: "4711" }, { signal, output } as unknown as ActionContext);
    return hidden;
  }

  test.each<[name: string, source: unknown, hidden: string[]]>([
    ["authorization", { env: "BEARER" }, ["Bearer t-12345", "t-12345"]],
    ["authorization", "Basic abcdef", ["Basic abcdef", "abcdef"]],
    ["Proxy-Authorization", "Basic k-${payload.pin}", ["Basic k-4711", "k-4711"]],
    ["cookie", "sid=a; theme=dark", ["sid=a; theme=dark"]],
    ["x-token-kind", "plain text", []],
    ["x-from", { env: "API_TOKEN" }, ["t-12345"]],
    ["x-from", { env: "KEY" }, ["k-12345"]],
    ["X-Auth", { env: "TENANT" }, ["acme"]],
    ["X-Auth-Key", { env: "TENANT" }, ["acme"]],
    ["x-functions-key", { env: "TENANT" }, ["acme"]],
    ["X-Hub-Signature", { env: "TENANT" }, ["acme"]],
    ["x_session_id", { env: "TENANT" }, ["acme"]],
    ["x-tenant", { env: "TENANT" }, []],
    ["x-keyboard", { env: "KEYBOARD" }, []],
    ["x-author", { env: "AUTHOR" }, []],
  ])("with the header %s from %j hides %j", async (name, source, hidden) => {
    expect(await hiddenFor(name, source)).toEqual(hidden);
  });

  test("hides what a file contains, whatever the name of the header", async () => {
    const file = join(temporaryFolder(), "key");
    writeFileSync(file, "k 67890\n");
    expect(await hiddenFor("x-tenant", { file })).toEqual(["k 67890"]);
  });

  test.each<[number, string, object]>([
    [500, "", { code: "HTTP_500", message: "The service responded with status 500." }],
    [404, "gone", { code: "HTTP_404", details: { status: 404, body: "gone" } }],
    [302, "", { code: "HTTP_302", message: expect.stringContaining("Redirects are not followed") }],
    [
      409,
      '{"error":{"code":"BUSY","message":"Later.","details":[1]}}',
      { code: "BUSY", message: "Later.", details: { status: 409, details: [1] } },
    ],
    [500, "x".repeat(300_000), { details: { status: 500, body: "x".repeat(4000) } }],
  ])("that gets %i %j fails with the reported error", async (status, body, failure) => {
    const url = await serveHttp((_, response) => void response.writeHead(status).end(body));
    expect(await failureOf(execute({ execute: { http: { url } } }))).toMatchObject(failure);
  });

  test("returns null for an empty response, text, or the beginning of a flood", async () => {
    const url = await serveHttp((request, response) => {
      if (request.url === "/none") response.writeHead(204).end();
      else response.end(request.url === "/text" ? "fine\n" : "x".repeat(2_000_000));
    });
    const answer = (path: string) => execute({ execute: { http: { url: url + path } } });
    expect(await answer("/none")).toBeNull();
    expect(await answer("/text")).toBe("fine");
    expect(await answer("/flood")).toMatchObject({ truncated: true, bytes: 2_000_000 });
  });

  test("without a server or without its secret fails, and no secret is shown", async () => {
    const port = await closedPort();
    const url = `http://user:k-12345@127.0.0.1:${port}/x?key=k-12345`;
    const away = await failureOf(execute({ execute: { http: { url } } }));
    expect(away).toMatchObject({
      code: "SERVICE_UNREACHABLE",
      message: `POST http://127.0.0.1:${port}/x: connection refused`,
    });
    const headers = { one: { env: "KEY" }, two: { env: "NONE" } };
    const lacking = await failureOf(execute({ execute: { http: { url, headers } } }));
    expect(lacking).toMatchObject({
      code: "SECRET_MISSING",
      message: "The header two cannot be sent: the environment variable NONE is not set.",
    });
    expect(JSON.stringify([away, lacking])).not.toContain("k-12345");
  });

  test("that hangs fails with the signal's reason", async () => {
    const ender = new AbortController();
    const url = await serveHttp(() => ender.abort(new Error("late")));
    await expect(execute({ execute: { http: { url } } }, {}, ender.signal)).rejects.toThrow("late");
  });
});
