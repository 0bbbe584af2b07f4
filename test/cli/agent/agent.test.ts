// Tests `agent check`, `agent init`, `agent explain`, and arguments of `agent run`.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/agent/sidecar/index.ts";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { frontOf, refusal } from "../../helpers/http/front.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { cli, failing } from "../world.ts";

const token = mintToken("registration", (bytes) => void bytes.fill(7));

/** An agent.yaml with one service, for a server that does not respond. */
const fileWith = (lines: string) =>
  `server: http://127.0.0.1:1\nagent: { code: a }\n${lines}\nservices: [{ code: web, version: "1" }]\n`;

/** Creates a folder with this agent.yaml. */
function hostWith(text: string): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = join(folder, "agent.yaml");
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return { folder, file };
}

interface Row {
  service: string | null;
  what: string;
  state: string;
  result: string;
  tookMs: number;
}

async function check(
  file: string,
  more: Record<string, string> = {},
): Promise<{ status: number; rows: Row[] }> {
  const wholeEnv = { ...process.env, ...more };
  const words = ["agent", "check", "--config", file, "-o", "json"];
  const { status, stdout } = await cli(words, { io: { wholeEnv } });
  return { status, rows: JSON.parse(stdout) };
}

/** Starts a server with the real time, because `check` compares its clock with that of the host. */
async function listenAtRealTime(aheadMs: number): Promise<ListeningApp> {
  const app = await listenTestApp();
  app.clock.jump(Date.now() + aheadMs - app.clock.now());
  return app;
}

test("a server whose clock is hours ahead is a warning", async () => {
  const { url } = await listenAtRealTime(7_230_000);
  const { file } = hostWith(
    `server: ${url}\nagent: { code: a }\nstateDir: state\nservices: [{ code: web, version: "1" }]\n`,
  );
  const { rows } = await check(file);
  const row = rows.find(({ what }) => what === "server");
  const says = expect.stringContaining("; the clock of this host is 2h behind: correct ");
  expect(row).toMatchObject({ state: "WARNING", result: says });
});

test("`check` checks everything once, changes nothing, and reports failures", async () => {
  // A few seconds are no reason for a warning.
  const { url, as } = await listenAtRealTime(5000);
  const { token } = await as("operator").call("registration-tokens.create", { body: {} });
  const { folder, file } = hostWith(`server: ${url}
agent: { code: edge-7 }
registrationToken: ${token}
stateDir: deep/state
services:
  - code: web
    version: { exec: { command: [echo, "v1.2.3 (stable)"] }, pattern: 'v(\\S+)' }
    health: { http: { url: "${url}/api/system/health", pointer: /data/status, equals: UP } }
    configs:
      - { key: level, value: info }
      - { key: port, file: { path: web.json, pointer: /port } }
      - { key: gone, file: { path: nowhere.json } }
      - { key: region, env: REGION }
      - { key: variable, env: NO_SUCH_VARIABLE_HERE }
      - { key: pin, env: PATH, sensitive: true }
    actions:
      - { name: good, execute: { exec: { command: [sh, -c, "touch was-run"] } } }
      - { name: call, execute: { http: { url: "${url}/x" } }, prepare: { http: { url: "${url}/y?a=b" } } }
      - { name: lost, execute: { exec: { command: [no-such-program] } } }
      - { name: dull, execute: { exec: { command: [./web.json] } } }
      - { name: astray, execute: { exec: { command: [sh], cwd: nowhere } } }
  - code: db
    version: { http: { url: "http://127.0.0.1:1/" } }
    health: { tcp: { port: 1 } }
`);
  writeFileSync(join(folder, "web.json"), '{ "port": 8080 }');
  const { status, rows } = await check(file, { REGION: "north" });
  expect(status).toBe(1);
  const refused = expect.stringContaining("connection refused");
  expect(rows.map(({ service, what, state, result }) => [service, what, state, result])).toEqual([
    [null, "file", "OK", "2 services"],
    [null, "server", "OK", expect.stringContaining(`${url} is UP, version `)],
    [null, "state folder", "OK", `${folder}/deep/state will be created`],
    [null, "token", "OK", "not registered; the registration token is valid"],
    [null, "service codes", "OK", "all 2 are free"],
    ["web", "health", "OK", expect.any(String)],
    ["web", "version", "OK", "1.2.3"],
    ["web", "config level", "OK", "info"],
    ["web", "config port", "OK", "8080"],
    ["web", "config gone", "FAILURE", `file ${folder}/nowhere.json: no such file`],
    ["web", "config region", "OK", "north"],
    ["web", "config variable", "FAILURE", "env NO_SUCH_VARIABLE_HERE: it is not set"],
    ["web", "config pin", "OK", "sensitive: not read (env PATH)"],
    ["web", "action good", "OK", expect.stringMatching(/^not run: \/.*\/sh$/)],
    ["web", "action call", "OK", `not called: POST ${url}/x; not called: GET ${url}/y`],
    ["web", "action lost", "FAILURE", "the program no-such-program is not in PATH"],
    ["web", "action dull", "FAILURE", `${folder}/web.json is not executable by this user`],
    ["web", "action astray", "FAILURE", `cwd ${folder}/nowhere is not a folder`],
    ["db", "health", "FAILURE", refused],
    ["db", "version", "FAILURE", refused],
  ]);
  expect(rows.every(({ tookMs }) => Number.isInteger(tookMs))).toBe(true);
  expect(existsSync(join(folder, "was-run"))).toBe(false);
  expect(existsSync(join(folder, "deep"))).toBe(false);
  const { data: agents } = await as("owner").page("agents.list");
  expect(agents).toEqual([]);
});

test("reports an unavailable server, an unusable folder and an unusable token", async () => {
  const own = "registrationToken: { file: token }";
  const { folder, file } = hostWith(fileWith(`stateDir: state\n${own}`));
  writeFileSync(join(folder, "state"), "a file");
  writeFileSync(join(folder, "token"), `${token.slice(0, -1)}\n`);
  const found = async () => {
    const { rows } = await check(file);
    return rows.slice(1, 4).map(({ state, result }) => `${state} ${result}`);
  };
  expect(await found()).toEqual([
    "FAILURE cannot reach http://127.0.0.1:1 (connection refused)",
    `FAILURE ${folder}/state is not a folder`,
    expect.stringContaining("FAILURE Cannot use the token file"),
  ]);

  writeFileSync(file, fileWith(`stateDir: open\n${own}`));
  mkdirSync(join(folder, "open"), { mode: 0o755 });
  expect((await found()).slice(1)).toEqual([
    `WARNING other users can access ${folder}/open: run chmod 700`,
    "FAILURE not registered, and the registration token is mistyped or cut off: its checksum is wrong",
  ]);

  const names = { server: "http://127.0.0.1:1", agentCode: "b", agentId: "agt_1" };
  const identity = { ...names, agentToken: "x", reportIntervalSeconds: 30, pollWaitSeconds: 25 };
  const store = (change: object) =>
    writeFileSync(join(folder, "open/token.json"), JSON.stringify({ ...identity, ...change }));
  store({});
  writeFileSync(join(folder, "token"), `${token}\n`);
  expect((await found())[2]).toBe(
    "WARNING registered as b at http://127.0.0.1:1; a registration token is set; not checked: " +
      "cannot reach http://127.0.0.1:1 (connection refused)",
  );
  store({ agentCode: "a" });
  expect((await found())[2]).toBe(
    "WARNING registered as a (agt_1); not checked: cannot reach " +
      "http://127.0.0.1:1 (connection refused)",
  );
});

describe("the checks of the token and the service codes", () => {
  async function checkedWith(
    invitation: string,
    server: ListeningApp,
    code = "edge-7",
    stored?: string,
  ) {
    const { folder, file } = hostWith(`server: ${server.url}
agent: { code: ${code} }
registrationToken: ${invitation}
stateDir: state
services: [{ code: web, version: "1" }, { code: db, version: "1" }]
`);
    if (stored !== undefined) {
      mkdirSync(join(folder, "state"), { mode: 0o700 });
      writeFileSync(join(folder, "state/token.json"), stored, { mode: 0o600 });
    }
    const { status, rows } = await check(file);
    const about = rows.filter(({ what }) => what === "token" || what === "service codes");
    return { status, told: about.map(({ state, result }) => `${state} ${result}`) };
  }

  const invite = async (server: ListeningApp, body = {}) =>
    (await server.as("operator").call("registration-tokens.create", { body })).token;

  test("fail for a used token, a token for other agents, a used code and services of another agent", async () => {
    const server = await listenTestApp();
    const used = await invite(server);
    await server.asPrincipal({ kind: "anonymous" }).call("agent.register", {
      body: { registrationToken: used, agent: { code: "edge-7", mode: "sidecar" } },
    });
    const unknown = "WARNING not checked: the server requires a valid token";
    const failures = [
      [used, /^FAILURE not registered: The registration token has been used: .*tokens create/],
      [
        await invite(server, { agentCode: "core-*" }),
        /is for core-\*.*tokens create --agent edge-7`/,
      ],
      [await invite(server), /code edge-7 is registered and online, .*--agent edge-7 --replace/],
    ] as const;
    for (const [invitation, says] of failures) {
      const { status, told } = await checkedWith(invitation, server);
      expect(status).toBe(1);
      expect(told).toEqual([expect.stringMatching(says), unknown]);
    }
    await server.registerAgent("edge-1", [{ code: "web", name: "Web", version: "1" }]);
    const { status, told } = await checkedWith(await invite(server), server, "edge-8");
    expect(status).toBe(1);
    expect(told).toEqual([
      "OK not registered; the registration token is valid",
      "FAILURE web: belongs to the agent edge-1",
    ]);
  });

  test("say that nothing is known after an internal error of the server", async () => {
    const server = await listenTestApp();
    const { url } = await frontOf(server, /agents\/check/, [500, refusal("INTERNAL_ERROR")]);
    const { told } = await checkedWith(await invite(server), { ...server, url });
    expect(told).toEqual([
      "WARNING not registered; a registration token is set; not checked: Not now.",
      "WARNING not checked: the server requires a valid token",
    ]);
  });

  test("name the registration token if the server refuses the agent's own token", async () => {
    const server = await listenTestApp();
    const { agentId, agentToken } = await server.registerAgent("edge-7");
    const names = { server: server.url, agentCode: "edge-7", agentId, agentToken };
    const stored = JSON.stringify({ ...names, reportIntervalSeconds: 30, pollWaitSeconds: 25 });
    const told = async (invitation: string) =>
      (await checkedWith(invitation, server, "edge-7", stored)).told;
    const kept = `registered as edge-7 (${agentId})`;
    const valid = await invite(server);
    expect(await told(valid)).toEqual([`OK ${kept}`, "OK all 2 are free"]);

    await server.as("operator").call("agents.revoke-token", { params: { agentId } });
    const before = `${kept}, but the server refuses its token`;
    const unknown = "WARNING not checked: the server requires a valid token";
    expect(await told(valid)).toEqual([
      `OK ${before}; the registration token is valid`,
      "OK all 2 are free",
    ]);
    expect(await told("{ env: NO_SUCH_VARIABLE_HERE }")).toEqual([
      `FAILURE ${before}, and the environment variable NO_SUCH_VARIABLE_HERE is not set: ` +
        "run platformctl tokens create",
      unknown,
    ]);
    const { data: tokens } = await server.as("owner").page("registration-tokens.list");
    for (const { id: tokenId } of tokens) {
      await server.as("operator").call("registration-tokens.revoke", { params: { tokenId } });
    }
    expect(await told(valid)).toEqual([
      expect.stringMatching(/^FAILURE .* its token: The registration token was revoked.*tokens cr/),
      unknown,
    ]);
  });
});

test("`check` prints all problems of an invalid file, and warns about a secret that others can read", async () => {
  const { file } = hostWith('server: x\n"\\e[2Jboo\\n": 1\n');
  const wrong = await cli(["agent", "check", "--config", file]);
  expect(wrong.status).toBe(2);
  expect(wrong.stdout).toBe("");
  expect(wrong.stderr).toContain(
    `platformctl: ${file}:1: server: must be a URL like https://agents.example.com\n  ${file}:1: agent: is missing\n`,
  );
  expect(wrong.stderr).toContain(`  ${file}:2: \\u001b[2Jboo\\n: unknown field; known fields: `);
  const asJson = await cli(["agent", "check", "--config", file, "-o", "json"]);
  expect(JSON.parse(asJson.stderr).error).toMatchObject({ code: "CONFIG_INVALID" });
  expect(JSON.parse(asJson.stderr).error.details.problems).toHaveLength(5);

  const open = hostWith(fileWith(`stateDir: s\nregistrationToken: ${token}`));
  chmodSync(open.file, 0o644);
  const [first] = (await check(open.file)).rows;
  expect(first).toMatchObject({ what: "file", state: "WARNING" });
  expect(first?.result).toContain(`${open.file}:4: registrationToken: is a secret in a file`);
});

test("`check` repeats failures and warnings apart, and counts each", async () => {
  const { file } = hostWith(fileWith("stateDir: s"));
  const ran = await cli(["agent", "check", "--config", file]);
  expect(ran.stderr.trim().split("\n")).toEqual([
    "2 of 6 failed:",
    expect.stringMatching(/^ {2}agent: server: cannot reach /),
    expect.stringMatching(/^ {2}agent: token: /),
    "1 warning:",
    expect.stringMatching(/^ {2}agent: service codes: not checked/),
  ]);
});

test("`check` escapes control characters in values from services", async () => {
  const { folder, file } = hostWith(`server: http://127.0.0.1:1
agent: { code: a }
stateDir: s
services:
  - code: web
    version: { exec: { command: [printf, '1\\033[2J\\t0'] } }
    configs: [{ key: motd, file: { path: motd } }]
`);
  writeFileSync(join(folder, "motd"), "\u001b]0;owned\u0007\u202eabc\nsecond");
  const { stdout } = await cli(["agent", "check", "--config", file]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(stdout).toContain("owned");
});

test("`init` prints a file that `check` accepts, with the values of its flags", async () => {
  const words = ["agent", "init", "--server", "agents.example.com:8443/", "--code", "edge-7"];
  const { status, stdout, stderr } = await cli(words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(parseConfig("agent.yaml", stdout)).toMatchObject({
    server: "https://agents.example.com:8443",
    agent: { code: "edge-7" },
  });
  const { url } = await listenTestApp();
  const { file } = hostWith((await cli(["agent", "init", "--server", url])).stdout);
  const { rows } = await check(file);
  expect(rows.filter(({ state }) => state === "FAILURE").map(({ what }) => what)).toEqual([
    "token",
  ]);
  expect(rows.find(({ what }) => what === "config agent.file")).toMatchObject({
    result: "agent.yaml",
  });
  const plain = await cli(["agent", "init"]);
  expect(parseConfig("agent.yaml", plain.stdout).agent.code).toBe(hostname().split(".")[0]);
});

test.each([
  [
    ["--code", "edge 7"],
    "--code must have at most 123 letters, digits and . _ : -, as in edge-7, not edge 7.\n",
  ],
  [["--server", "ftp://x"], "--server must be a URL such as http://127.0.0.1:8080, not ftp://x.\n"],
])("`init` refuses %s", async (words, says) => {
  expect(await cli(["agent", "init", ...words])).toMatchObject(failing(2, `platformctl: ${says}`));
});

test("a file as the argument of `agent run` suggests --config", async () => {
  const suggestion = failing(2, "Did you mean --config agent.yaml?");
  expect(await cli(["agent", "run", "agent.yaml"])).toMatchObject(suggestion);
  expect((await cli(["agent", "run", "now"])).stderr).not.toContain("--config");
});

test("`explain` prints a field, its subfields and an example as text or JSON, and suggests names", async () => {
  const { status, stdout } = await cli(["agent", "explain", "services.health"]);
  expect(status).toBe(0);
  expect(stdout).toContain(
    "services.health.interval\n  time, such as 10s or 1m30s; default: 10s\n",
  );
  expect(stdout).not.toContain("services.health.http.url");
  expect(stdout).toMatch(/\nExample:\n\n {2}health:\n/);
  const top = JSON.parse((await cli(["agent", "explain", "-o", "json"])).stdout);
  expect(top.map(({ field }: { field: string }) => field)).toContain("stateDir");
  const lost = await cli(["agent", "explain", "services.helth"]);
  expect(lost).toMatchObject(failing(3, "Did you mean services.health?"));
  const short = await cli(["agent", "explain", "failureThreshold"]);
  expect(short.stderr).toContain("Did you mean services.health.failureThreshold?");
  const offered = await cli(["__complete", "--", "agent", "explain", "services.health.i"]);
  expect(offered.stdout).toBe("services.health.interval\ttime between probes\n");
});
