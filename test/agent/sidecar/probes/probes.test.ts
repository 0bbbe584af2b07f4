import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeProbe, probe } from "../../../../src/agent/sidecar/probes/probes.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { closedPort, serveHttp, serveTcp } from "../../../helpers/http/listen.ts";
import { perFile } from "../../../helpers/lifetime.ts";
import { isAlive } from "../../../helpers/process/alive.ts";
import { healthConfig } from "../configs.ts";
import { atOnce, stuckPort } from "../services.ts";

const never = new AbortController().signal;
const stuckOfFile = perFile(stuckPort);
const origin = { folder: "/", env: { KEY: "s3cret" } };

/** In seconds. A probe with an expected response does not reach its time limit. */
const patient = { timeout: 600 };
const hasty = { timeout: 0.1 };

function ask(written: object) {
  return probe(healthConfig(written), { ...origin, signal: never });
}

async function service(): Promise<string> {
  const answers: Record<string, [status: number, body: string, headers?: Record<string, string>]> =
    {
      "/ok": [200, "fine"],
      "/created": [201, ""],
      "/busy": [503, "no"],
      "/moved": [301, "", { location: "/ok" }],
      "/sso": [302, "", { location: "https://me:s3cret@sso.example/login?token=s3cret#s3cret" }],
      "/json": [
        200,
        '{"status":"ok","ready":true,"off":false,"no":null,"none":0,"empty":"","db":{"a":[1,{"b":2}]}}',
      ],
      "/keys": [200, '{"api_key":"s3cret","tokens":["s3cret"]}'],
      "/false": [200, "false"],
      "/html": [200, "<p>secret</p>", { "content-type": "text/html" }],
      "/huge": [200, JSON.stringify("x".repeat(1024 * 1024))],
      "/long": [200, JSON.stringify({ status: `bad\n\u001b[31m${"x".repeat(5000)}` })],
    };
  return serveHttp((request, response) => {
    const [status, body, headers] = answers[request.url ?? ""] ?? [];
    if (request.url === "/hangs") return;
    if (request.url === "/half") return void response.write("{");
    if (request.url === "/key") response.statusCode = request.headers.key === "s3cret" ? 200 : 401;
    else response.writeHead(status ?? 404, headers);
    response.end(body);
  });
}

test("an http probe checks the status and the value at a pointer", async () => {
  const url = await service();
  const table: [path: string, more: object, ok: boolean, message: string][] = [
    ["/ok", {}, true, "HTTP 200"],
    ["/key", { headers: { key: { env: "KEY" } } }, true, "HTTP 200"],
    ["/key", {}, false, "HTTP 401, expected 200–299"],
    ["/busy", {}, false, "HTTP 503, expected 200–299"],
    ["/busy", { status: 503 }, true, "HTTP 503"],
    ["/ok", { status: 204 }, false, "HTTP 200, expected 204"],
    ["/moved", {}, false, "HTTP 301 to /ok, expected 200–299"],
    ["/sso", {}, false, "HTTP 302 to https://sso.example/login, expected 200–299"],
    ["/json", { pointer: "/status", equals: "ok" }, true, 'HTTP 200, /status is "ok"'],
    ["/json", { pointer: "/status", equals: "up" }, false, '/status is "ok", expected "up"'],
    ["/json", { pointer: "/ready" }, true, "HTTP 200, /ready is true"],
    ["/json", { pointer: "/empty" }, true, 'HTTP 200, /empty is ""'],
    ["/json", { pointer: "/off" }, false, "/off is false"],
    ["/json", { pointer: "/ready", equals: "true" }, false, '/ready is true, expected "true"'],
    ["/json", { pointer: "/off", equals: false }, true, "HTTP 200, /off is false"],
    ["/json", { pointer: "/gone" }, false, "the response has no /gone"],
    ["/json", { pointer: "/db", equals: { a: [1, { b: 2 }] } }, true, "HTTP 200, /db is {"],
    ["/keys", { equals: {} }, false, 'the response is {"api_key":"[REDACTED]",'],
    ["/keys", { pointer: "/api_key" }, true, "HTTP 200, /api_key is [REDACTED]"],
    [
      "/keys",
      { pointer: "/tokens/0", equals: "s3cret too" },
      false,
      "/tokens/0 is [REDACTED], expected [REDACTED]",
    ],
    ["/false", { equals: false }, true, "HTTP 200, the response is false"],
    ["/html", { pointer: "/status" }, false, "the response is not JSON but text/html"],
    ["/huge", { pointer: "/status" }, false, "the response is larger than 1.0 MiB"],
    ["/half", {}, true, "HTTP 200"],
    ["/long", { pointer: "/status", equals: "ok" }, false, '/status is "bad\\n\\u001b[31mxxx'],
    [
      "/key",
      { headers: { key: { env: "GONE" } } },
      false,
      "the environment variable GONE is not set",
    ],
  ];
  for (const [path, more, ok, message] of table) {
    const result = await ask({ http: { url: url + path, ...more }, ...patient });
    expect(result, path).toMatchObject({ ok, message: expect.stringContaining(message) });
    expect(result.message.length).toBeLessThan(300);
    expect(result.message).not.toMatch(/<p>|s3cret/);
  }
});

test("an http probe fails for a closed port, no response and half a response", async () => {
  const url = await service();
  const gone = `http://127.0.0.1:${await closedPort()}/health`;
  expect(await ask({ http: { url: `${gone}?key=s3cret` }, ...patient })).toMatchObject({
    ok: false,
    message: `GET ${gone}: connection refused`,
  });
  for (const path of ["/hangs", "/half"]) {
    const result = await ask({ http: { url: url + path, equals: 1 }, ...hasty });
    expect(result, path).toMatchObject({ ok: false, message: "no answer within 0.1 s" });
  }
  const stuck = { http: { url: `http://127.0.0.1:${stuckOfFile()}/` }, ...hasty };
  expect(await atOnce(ask(stuck))).toMatchObject({ ok: false, message: "no answer within 0.1 s" });
});

test("an irregular or oversized header file fails an http probe instead of blocking it", async () => {
  const folder = temporaryFolder();
  spawnSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(join(folder, "log"), "x".repeat(64 * 1024 + 1));
  for (const [name, why] of [
    ["pipe", "it is not a regular file"],
    ["log", "it is larger than 64.0 KiB"],
  ] as const) {
    const file = join(folder, name);
    const http = { url: "http://127.0.0.1:1/", headers: { key: { file } } };
    const { ok, message } = await ask({ http, ...patient });
    expect({ ok, message }).toEqual({ ok: false, message: `${file} cannot be read: ${why}` });
  }
});

test("a tcp probe checks for an open port, a refused connection and a hanging port", async () => {
  const open = await serveTcp();
  const opened = await ask({ tcp: { port: open }, ...patient });
  expect(opened).toMatchObject({ ok: true, message: `127.0.0.1:${open} accepts connections` });
  const closed = await closedPort();
  const refused = await ask({ tcp: { host: "localhost", port: closed }, ...patient });
  expect(refused).toMatchObject({ ok: false, message: `localhost:${closed}: connection refused` });
  const stuck = await ask({ tcp: { port: stuckOfFile() }, ...hasty });
  expect(stuck).toMatchObject({ ok: false, message: "no answer within 0.1 s" });
});

test("an exec probe reports the exit status and the last lines of output", async () => {
  const table: [script: string, ok: boolean, message: string][] = [
    ["exit 0", true, "exit status 0"],
    ["echo first; echo 'all well'; echo", true, "all well"],
    ["echo fine; echo trouble >&2", true, "fine"],
    ["exit 7", false, "exit status 7"],
    ["echo out; echo one >&2; echo 'no table' >&2; exit 1", false, "exit status 1: no table"],
    ["echo out; exit 1", false, "exit status 1: out"],
    ["kill -KILL $$", false, "terminated by SIGKILL"],
    ["printf 'a\\033[31mb\\tc'", true, "a [31mb c"],
    ["yes | head -c 300000", true, "y"],
  ];
  for (const [script, ok, message] of table) {
    const result = await ask({ exec: { command: ["/bin/sh", "-c", script] }, ...patient });
    expect(result, script).toMatchObject({ ok, message });
  }
  const long = await ask({ exec: { command: ["/bin/sh", "-c", "printf '%0900d' 0"] }, ...patient });
  expect(long.message).toHaveLength(400);
  const missing = await ask({ exec: { command: ["/nonexistent/check"] }, ...patient });
  expect(missing.ok).toBe(false);
  expect(missing.message).toContain("/nonexistent/check cannot be started");
  const hangs = await ask({ exec: { command: ["/bin/sh", "-c", "sleep 60"] }, ...hasty });
  expect(hangs).toMatchObject({ ok: false, message: "no answer within 0.1 s" });
});

test("a program that ignores SIGTERM is killed before its exec probe times out", async () => {
  const file = join(temporaryFolder(), "pid");
  const script = `echo $$ >${file}; trap '' TERM; sleep 600; sleep 600`;
  const pid = () => Number(existsSync(file) && readFileSync(file, "utf8"));
  // The timeout grows until the program lives long enough to write its pid.
  for (let timeout = 0.1; pid() === 0; timeout *= 2) {
    const hangs = await ask({ exec: { command: ["/bin/sh", "-c", script] }, timeout });
    expect(hangs).toMatchObject({ ok: false, message: `no answer within ${timeout} s` });
  }
  await expect.poll(() => isAlive(pid())).toBe(false);
});

test("an aborted probe of any kind rejects with the reason", async () => {
  const [url, stuck] = [await service(), stuckOfFile()];
  for (const kind of [
    { http: { url: `${url}/hangs` } },
    { http: { url: `http://127.0.0.1:${stuck}/` } },
    { tcp: { port: stuck } },
    { exec: { command: ["sleep", "60"] } },
  ]) {
    const ender = new AbortController();
    const around = { ...origin, signal: ender.signal };
    const asked = probe(healthConfig({ ...kind, timeout: 600 }), around);
    ender.abort(new Error("called off"));
    await expect(atOnce(asked)).rejects.toThrow("called off");
    await expect(probe(healthConfig(kind), around)).rejects.toThrow("called off");
  }
});

test("a probe's description has no secrets", () => {
  const url = "http://user:pass@127.0.0.1:8080/health?key=s3cret";
  for (const [written, told] of [
    [{ http: { url } }, { probe: "http", url: "http://127.0.0.1:8080/health" }],
    [{ tcp: { port: 6379 } }, { probe: "tcp", address: "127.0.0.1:6379" }],
    [{ exec: { command: ["check", "--key", "s3cret"] } }, { probe: "exec", program: "check" }],
  ] as const) {
    expect(describeProbe(healthConfig(written))).toEqual(told);
  }
});
