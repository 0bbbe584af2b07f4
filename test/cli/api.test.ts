// Tests `api METHOD PATH`, which makes any call and exits according to the response's HTTP status.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiPath } from "../../src/cli/commands/api/call.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { serveHttp } from "../helpers/http/listen.ts";
import { perFile } from "../helpers/lifetime.ts";
import { openSignedIn } from "./access/signed-in.ts";
import { cli, failing, openWorld, type Way, ways } from "./world.ts";

describe("`api`", () => {
  const world = perFile(openWorld);
  const run = (words: string[], options: { stdin?: string } = {}, way: Way = "--server") =>
    world().run(way, words, options);

  test.each(ways)("%s refuses a number that would be rounded", async (way) => {
    const words = ["api", "POST", "registration-tokens", "--data", '{"name":9007199254740993}'];
    const ran = await run(words, {}, way);
    expect(ran.stderr).toContain("In the body, the number at /name is too large");
  });

  test.each(ways)("%s prints the whole body, indented or raw", async (way) => {
    const pretty = await run(["api", "GET", "agents", "--query", "pageSize=1"], {}, way);
    expect(pretty).toMatchObject({ status: 0, stderr: "" });
    const body = JSON.parse(pretty.stdout);
    expect(body).toMatchObject({
      success: true,
      data: [{ code: "edge-2" }],
      pagination: { page: 1, pageSize: 1, total: 2 },
    });
    expect(pretty.stdout).toBe(`${JSON.stringify(body, null, 2)}\n`);
    const raw = await run(["api", "get", "/api/admin/agents?pageSize=1", "--raw"], {}, way);
    expect(raw.stdout).toBe(JSON.stringify(body));
  });

  test("sends the body from the flag, a file or standard input unchanged", async () => {
    const file = join(temporaryFolder(), "body.json");
    writeFileSync(file, '{"name":"from a file"}\n');
    const nameOf = async (data: string, stdin = "") => {
      const words = ["api", "POST", "registration-tokens", "--data", data];
      const { status, stdout } = await run(words, { stdin });
      return [status, JSON.parse(stdout).data.name];
    };
    expect(await nameOf('{"name":"é"}')).toEqual([0, "é"]);
    expect(await nameOf(`@${file}`)).toEqual([0, "from a file"]);
    expect(await nameOf("-", '{"name":"from stdin"}')).toEqual([0, "from stdin"]);
    const without = await run(["api", "POST", "registration-tokens"]);
    expect(JSON.parse(without.stdout).data.name).toBeNull();
    const twice = await run(["api", "POST", "registration-tokens", "-d", '{"a":1,"a":2}']);
    expect(twice).toMatchObject({ status: 2, stderr: expect.stringContaining("twice") });
  });

  test.each([
    { words: ["GET", "agents/agt_01K00000000000000000000000"], status: 3, says: /no agent/ },
    { words: ["GET", "/api/admin/nope"], status: 3, says: /path does not exist/ },
    { words: ["GET", "agents", "--query", "page=0"], status: 2, says: /page: must be a whole/ },
    { words: ["DELETE", "agents"], status: 2, says: /Allowed methods: GET/ },
    { words: ["GET", "/api/agents/commands"], status: 4, says: /agent token|credential/ },
    { words: ["GET", "stream"], status: 2, says: /WebSocket/ },
  ])(
    "reports the failure of $words on stderr and with the exit status",
    async ({ words, status, says }) => {
      const ran = await run(["api", ...words]);
      expect(ran).toMatchObject(failing(status, /^platformctl: [^\n]+\n$/));
      expect(ran.stderr).toMatch(says);
    },
  );

  test.each(ways)("%s streams a download", async (way) => {
    const words = ["api", "GET", "audit-events/export", "--query"];
    const csv = await run([...words, "format=csv"], {}, way);
    expect(csv.stdout).toMatch(/^seq,id,at,/);
    const metrics = await run(["api", "GET", "metrics/prometheus"], {}, way);
    expect(metrics.stdout).toMatch(/^# HELP /);
  });

  test("--include prints status and headers first, and nothing else for HEAD", async () => {
    const shown = await run(["api", "GET", "/api/system/version", "--include"]);
    expect(shown.stdout).toMatch(
      /^HTTP\/1\.1 200 OK\ncontent-type: application\/json; charset=utf-8\n(.+\n)*\n\{\n {2}"success": true/,
    );
    const head = await run(["api", "HEAD", "/api/system/version", "-i"]);
    expect(head.stdout).toMatch(/^HTTP\/1\.1 200 OK\n(.+\n)+\n$/);
    const created = await run(["api", "POST", "registration-tokens", "-i"]);
    expect(created.stdout).toMatch(/^HTTP\/1\.1 201 Created\n/);
    expect(await run(["api", "HEAD", "agents"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("returned 405 Method Not Allowed without a body."),
    });
  });
});

test("every method works with a session", async () => {
  const { home, as } = await openSignedIn();
  const { id, version } = (await as("owner").page("users.list")).data[0] ?? { id: "", version: 0 };
  const statusOf = async (...words: string[]) => (await home.run(["api", ...words])).status;
  expect(await statusOf("GET", "users")).toBe(0);
  expect(await statusOf("POST", "registration-tokens")).toBe(0);
  const change = JSON.stringify({ role: "operator", version });
  expect(await statusOf("PATCH", `users/${id}`, "--data", change)).toBe(0);
  expect(await statusOf("DELETE", `users/${id}`)).toBe(0);
});

test.each([
  { typed: "agents", query: [], path: "/api/admin/agents" },
  { typed: "/api/system/health", query: [], path: "/api/system/health" },
  { typed: "agents?page=2", query: ["q=a b&c"], path: "/api/admin/agents?page=2&q=a+b%26c" },
  { typed: "a b/é", query: [], path: "/api/admin/a%20b/%C3%A9" },
  { typed: "//evil.example/x", query: [], path: "//evil.example/x" },
  { typed: "@evil.example/x", query: [], path: "/api/admin/@evil.example/x" },
  { typed: "/api/admin/../system/health", query: [], path: "/api/system/health" },
])("$typed is sent as the path $path", ({ typed, query, path }) => {
  expect(apiPath(typed, query)).toBe(path);
});

test.each([
  { words: ["FETCH", "agents"], says: /the method must be one of GET, HEAD/ },
  { words: ["GET", "https://evil.example/api"], says: /give a path such as/ },
  { words: ["GET", "agents#top"], says: /a path cannot contain #/ },
  { words: ["GET", "agents", "--data", "{}"], says: /--data cannot be used with GET/ },
  { words: ["POST", "agents", "--data", "{"], says: /--data is not JSON/ },
  { words: ["GET", "agents", "--query", "page"], says: /--query must be name=value, not page/ },
])("$words is a usage error", async ({ words, says }) => {
  const ran = await cli(["api", ...words, "--server", "http://127.0.0.1:1"]);
  expect(ran).toMatchObject(failing(2, says));
});

describe("responses from other servers", () => {
  const responding = (status: number, type: string, body: string) =>
    serveHttp((_, response) => response.writeHead(status, { "content-type": type }).end(body));
  const json = "application/json";
  const failure = (code: string) =>
    JSON.stringify({ success: false, error: { code, message: "Not now.", details: { a: 1 } } });

  test("after an unknown error code, the exit status follows from the HTTP status", async () => {
    const statuses = { 400: 2, 401: 4, 403: 4, 404: 3, 409: 5, 418: 1, 500: 1, 503: 6 };
    for (const [status, exit] of Object.entries(statuses)) {
      const url = await responding(Number(status), json, failure("MOON_TOO_FULL"));
      const byPath = await cli(["api", "GET", "x", "--server", url]);
      expect(byPath).toEqual({ status: exit, stdout: "", stderr: "platformctl: Not now.\n" });
    }
    const url = await responding(404, json, failure("MOON_TOO_FULL"));
    const list = await cli(["agents", "list", "-o", "json", "--server", url]);
    expect(list).toMatchObject({ status: 3, stdout: "" });
    const error = { code: "MOON_TOO_FULL", message: "Not now.", details: { a: 1 } };
    expect(JSON.parse(list.stderr)).toEqual({ error });
  });

  test("a health response with DOWN is printed, and the exit status follows from the HTTP status", async () => {
    const body = '{"success":true,"data":{"status":"DOWN"}}';
    const url = await responding(503, json, body);
    const ran = await cli(["api", "GET", "/api/system/health", "--raw", "--server", url]);
    expect(ran).toEqual({ status: 6, stdout: body, stderr: "" });
  });

  test("a proxy's error page is not mistaken for a response of the API", async () => {
    const url = await responding(502, "text/html", "<h1>Bad gateway</h1>");
    const ran = await cli(["api", "GET", "agents", "--server", url]);
    expect(ran).toMatchObject(
      failing(6, "responded with 502, but the response is not from this API"),
    );
  });

  test("a terminal gets escaped text, and no binary data", async () => {
    const io = { width: 80 };
    const words = ["api", "GET", "x", "--server"];
    const text = await responding(200, "text/plain", "a\u001b[31mb\n");
    expect((await cli([...words, text], { io })).stdout).toBe("a\\u001b[31mb\n");
    expect((await cli([...words, text])).stdout).toBe("a\u001b[31mb\n");
    const bytes = await responding(200, "application/vnd.sqlite3", "SQLite format 3\0");
    const refused = await cli([...words, bytes], { io });
    expect(refused).toMatchObject(failing(2, "cannot be printed on a terminal: add > FILE."));
    expect((await cli([...words, bytes])).stdout).toBe("SQLite format 3\0");
  });
});
