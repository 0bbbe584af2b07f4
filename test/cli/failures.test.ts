// How commands end when they do not work: each exit status, one line for a person, JSON for a machine.

import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { perFile } from "../helpers/lifetime.ts";
import { adminFailures } from "./failures/admin.ts";
import { type BadEnd, cancelled, type Failure, type Failures, listed } from "./failures/failure.ts";
import { cli, openWorld, type World, ways } from "./world.ts";

const unknownId = "cmd_01K00000000000000000000000";

const failures: Failures = {
  ACTION_PREPARE_TIMEOUT: [
    [
      "a prepare that the agent does not answer in time",
      "actions prepare sleeper snore",
      /did not|in time|expired/i,
    ],
  ],
  USAGE: [
    [
      "an option that there is not",
      "agents list --stat ONLINE",
      /unknown option '--stat' \(Did you mean --status\?\)/,
    ],
    ["an argument too few", "agents get", /missing required argument 'agent'/],
    [
      "a number that is none",
      "agents list --limit many",
      /'--limit <count>' argument 'many' is invalid. Use a whole number/,
    ],
    ["more rows than a page has", "agents list --limit 201", /--limit.*1 to 200/],
    [
      "a duration that is none",
      "tokens create --expires soon",
      /--expires must be a duration such as 24h, a time such as .*, or never, not soon/,
    ],
  ],
  VALIDATION_FAILED: [
    ["a word that the API refuses", "agents list --status BROKEN", /status/],
    ["a status that there is not", "services list --status FINE", /status/],
  ],
  PAYLOAD_INVALID: [
    [
      "a payload that does not fit the form",
      "actions run log-collector set-level --set lines=many",
      /lines/,
    ],
  ],
  AGENT_NOT_FOUND: [
    ["an agent that there is not", "agents get nobody", /there is no agent nobody/],
  ],
  COMMAND_NOT_FOUND: [
    [
      "a command that there is not",
      ["commands", "get", unknownId],
      new RegExp(`There is no command ${unknownId}`),
    ],
  ],
  ACTION_NOT_FOUND: [
    [
      "an action that the service does not declare",
      "actions run log-collector fly",
      /declares no action fly; its actions: set-level, explode, rotate-log/,
    ],
  ],
  UNAUTHORIZED: [
    [
      "no credential",
      "agents list",
      /Sign in with `platformctl login`, set PLATFORM_API_KEY, or use --db FILE/,
      { way: "--server", env: { API_KEY: "" } },
    ],
    [
      "an API key that is mistyped",
      "agents list",
      /refused the API key in PLATFORM_API_KEY: .*mistyped or cut/,
      { way: "--server", env: async ({ key }) => ({ API_KEY: key.slice(0, -1) }) },
    ],
  ],
  FORBIDDEN: [
    [
      "a role that may not do it",
      "tokens create",
      /needs the role operator; yours is viewer/,
      {
        way: "--server",
        env: async ({ as }) => {
          const body = { name: "reader", role: "viewer" as const };
          return { API_KEY: (await as("owner").call("api-keys.create", { body })).key };
        },
      },
    ],
  ],
  COMMAND_ALREADY_COMPLETED: [
    [
      "a command that has ended already",
      async (world) => ["commands", "cancel", await cancelled(world)],
      /already ended as CANCELLED/,
    ],
  ],
  CONFIRMATION_REQUIRED: [
    [
      "a dangerous action that nobody confirms",
      "actions run log-collector rotate-log",
      /Run rotate-log \(HIGH\) on log-collector of edge-1\? Add --yes/,
    ],
    [
      "a revocation that nobody confirms",
      "agents revoke-token edge-2",
      /Revoke the token of edge-2\?.* Add --yes/,
    ],
  ],
  AGENT_DISABLED: [
    [
      "an agent that is disabled",
      async (world) => {
        await world.run("--db", ["agents", "disable", "edge-2"]);
        return ["actions", "run", "sleeper", "snore"];
      },
      /agent edge-2 is disabled.*agents enable/,
    ],
  ],
  AGENT_OFFLINE: [
    [
      "an agent without a token",
      async (world) => {
        await world.run("--db", ["agents", "revoke-token", "edge-2", "--yes"]);
        return ["actions", "run", "sleeper", "snore"];
      },
      /token of agent edge-2 was revoked.*--queue/,
    ],
  ],
};

const badEnds: BadEnd[] = [
  {
    what: "an action whose command fails",
    words: ["actions", "run", "log-collector", "explode"],
    status: 1,
    prints: /FAILED/,
  },
  {
    what: "a command that was waited for and cancelled",
    words: async (world) => ["commands", "wait", await cancelled(world)],
    status: 1,
    prints: /CANCELLED/,
  },
  {
    what: "a retry that fails again",
    words: async (world) => {
      const id = await world.execute("log-collector", "explode");
      await world.run("--db", ["commands", "wait", id]);
      return ["commands", "retry", id];
    },
    status: 1,
    prints: /BOOM/,
  },
  {
    what: "a command that is still pending when the time is over",
    words: async (world) => {
      const id = await world.execute("sleeper", "snore");
      return ["commands", "wait", id, "--timeout", "0s"];
    },
    status: 8,
    prints: /PENDING/,
  },
];

const table = [...listed(failures), ...listed(adminFailures)].flatMap((failure) =>
  (failure.way ? [failure.way] : ways).map((way) => ({ ...failure, way })),
);

/** For what changes nothing: a table that is given its words. */
const shared = perFile(openWorld);

test.each(table)("$status: $what ($way)", async (one) => {
  const { words, way, env, stdin = "", status, code, says } = one;
  const world = Array.isArray(words) ? shared() : await openWorld();
  const run = async (...flags: string[]) =>
    world.run(way, [...(await wordsIn(world, words)), ...flags], {
      env: typeof env === "function" ? await env(world) : (env ?? {}),
      stdin,
    });
  expectLine(await run(), status, says);
  expectJson(await run("-o", "json"), status, code);
});

const endings = badEnds.flatMap((one) => ways.map((way) => ({ ...one, way })));

test.each(endings)("$status: $what ($way)", async ({ words, way, status, prints }) => {
  const world = await openWorld();
  const ran = await world.run(way, await wordsIn(world, words));
  expect(ran.stdout).toMatch(prints);
  expect(ran.stderr).not.toContain("platformctl: ");
  expect(ran.status).toBe(status);
});

test.each(ways)("130: Ctrl-C while it waits (%s)", async (way) => {
  const world = await openWorld();
  const id = await world.execute("sleeper", "snore");
  const listening = Promise.withResolvers<() => void>();
  const io = {
    onInterrupt(listener: () => void) {
      listening.resolve(listener);
      return () => undefined;
    },
  };
  const waiting = world.run(way, ["commands", "wait", id], { io });
  (await listening.promise)();
  const stderr =
    "platformctl: interrupted; that does not stop the command.\n" +
    `  wait for it: platformctl commands wait ${id}\n` +
    `  cancel it:   platformctl commands cancel ${id}\n`;
  expect(await waiting).toEqual({ status: 130, stdout: "", stderr });
});

describe("6: nobody is there to ask", () => {
  const places: { what: string; target: () => Promise<string[]>; says: RegExp; code: string }[] = [
    {
      what: "no server",
      target: async () => ["--server", `http://127.0.0.1:${await closedPort()}`],
      says: /cannot reach http:\/\/127.0.0.1:\d+ \(connection refused\): is `platform serve` running there\? Use --db FILE/,
      code: "UNREACHABLE",
    },
    {
      what: "another server",
      target: async () => ["--server", await otherServer()],
      says: /http:\/\/127.0.0.1:\d+ responded with 200, but the response is not from this API/,
      code: "UNAVAILABLE",
    },
    {
      what: "no file",
      target: async () => ["--db", join(shared().config.dataDir, "nothing.db")],
      says: /Cannot open the database .*nothing.db: there is no such file/,
      code: "UNAVAILABLE",
    },
    {
      what: "a file that is no database",
      target: async () => ["--db", put(shared(), "notes.db", "milk, bread\n")],
      says: /notes.db: it is not a SQLite database/,
      code: "UNAVAILABLE",
    },
    {
      what: "a folder",
      target: async () => {
        const folder = join(shared().config.dataDir, "folder.db");
        mkdirSync(folder);
        return ["--db", folder];
      },
      says: /folder.db: /,
      code: "UNAVAILABLE",
    },
  ];

  test.each(places)("$what", async ({ target, says, code }) => {
    const words = ["agents", "list", ...(await target())];
    expectLine(await cli(words), 6, says);
    expectJson(await cli([...words, "-o", "json"]), 6, code);
  });
});

test.each([
  { words: [], env: {}, says: /say where to work: --server URL or --db FILE.*platformctl login/ },
  ...[
    ["--db", "a", "--server", "b"],
    ["--db", "a", "--context", "b"],
    ["--server", "a", "--context", "b"],
  ].map((words) => ({ words, env: {}, says: /give --server or --db or --context, not two/ })),
  { words: ["--server", "ftp://x"], env: {}, says: /--server must be a URL such as http/ },
  { words: ["--server", "http://"], env: {}, says: /--server must be a URL such as http/ },
  { words: ["--server", "http://u:hunter2@x"], env: {}, says: /, without user, \? or #\.$/m },
  { words: ["--server", "http://x/?a=b"], env: {}, says: /, without user, \? or #\.$/m },
  { words: [], env: { URL: "ftp://x" }, says: /PLATFORM_URL must be a URL such as http/ },
])("2: a target that is none ($words)", async ({ words, env, says }) => {
  expectLine(await cli(["agents", "list", ...words], { env }), 2, says);
});

test("work on the file does not mind the settings of a listening server", async () => {
  const { run } = await openWorld();
  const env = {
    PORT: "tcp://1.2.3.4:80",
    TLS_CERT_FILE: "/x",
    ADMIN_PASSWORD: "x",
    LOG_LEVEL: "x",
  };
  expect(await run("--db", ["agents", "list"], { env })).toMatchObject({ status: 0, stderr: "" });
  const ran = await run("--db", ["agents", "list"], { env: { COMMAND_TTL_SECONDS: "x" } });
  expect(ran.stderr).toContain("PLATFORM_COMMAND_TTL_SECONDS: must be");
});

test("a flag beats a variable, the file's variable the server's", async () => {
  const world = await openWorld();
  const nobody = `http://127.0.0.1:${await closedPort()}`;
  const words = ["agents", "list", "-o", "name"];
  const both = { DB: world.file, URL: nobody };
  expect(await cli(words, { env: both })).toMatchObject({ status: 0 });
  expect(await cli([...words, "--server", nobody], { env: both })).toMatchObject({ status: 6 });
  const env = { URL: world.url, API_KEY: world.key };
  expect(await cli(words, { env })).toMatchObject({ status: 0 });
  expect(await cli([...words, "--db", world.file], { env })).toMatchObject({ status: 0 });
  const bare = world.url.replace("http://", "");
  expect(await cli([...words, "--server", bare], { env })).toMatchObject({ status: 0 });
});

test("--debug prints requests, and no credentials", async () => {
  const world = await openWorld();
  const words = ["agents", "list", "--search", world.key, "--debug"];
  const overHttp = await world.run("--server", words);
  const place = "/api/admin/agents?page=1&pageSize=20&q=platform_key_[REDACTED] 200";
  expect(overHttp.stderr).toContain(`GET ${world.url}${place} `);
  const onFile = await world.run("--db", words);
  expect(onFile.stderr).toContain(`GET ${place}\n`);
  expect(overHttp.stderr + onFile.stderr).not.toContain(world.key);
});

function expectLine(ran: Awaited<ReturnType<typeof cli>>, status: number, says: RegExp) {
  expect(ran.stderr).toMatch(/^platformctl: [^\n]+\n$/);
  expect(ran.stderr).toMatch(says);
  expect(ran).toMatchObject({ status, stdout: "" });
}

function expectJson(ran: Awaited<ReturnType<typeof cli>>, status: number, code: string) {
  expect(ran).toMatchObject({ status, stdout: "" });
  expect(ran.stderr).toMatch(/^[^\n]+\n$/);
  const { error, ...more } = JSON.parse(ran.stderr);
  expect(more).toEqual({});
  expect(error).toMatchObject({ code, message: expect.any(String) });
  expect(Object.keys(error).filter((key) => !["code", "message", "details"].includes(key))).toEqual(
    [],
  );
}

async function wordsIn(world: World, words: Failure["words"]): Promise<string[]> {
  return typeof words === "function" ? words(world) : words;
}

function put(world: World, name: string, text: string): string {
  const file = join(world.config.dataDir, name);
  writeFileSync(file, text);
  return file;
}

/** A port on which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A web server that is not ours. */
async function otherServer(): Promise<string> {
  const server = createServer((_, response) => response.end("<h1>It works!</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
