// Tests that failing commands exit with the right status, and print one line for people or JSON for
// programs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closedPort, serveHttp } from "../helpers/http/listen.ts";
import { perFile } from "../helpers/lifetime.ts";
import { failureList, filledIn } from "./failures/table.ts";
import { cli, failing, openWorld, type Way } from "./world.ts";

/** Commands that work, but exit with another status than 0 because of their result. */
const badEnds: [words: string, way: Way, status: number, prints: RegExp][] = [
  ["actions run log-collector explode", "--server", 1, /error +BOOM\nmessage +it exploded/],
  ["commands wait {cancelled}", "--db", 1, /CANCELLED/],
  ["commands retry {failed}", "--server", 1, /BOOM/],
  ["commands wait {snoring} --timeout 0s", "--db", 8, /PENDING/],
];

/** A world for all commands except those that prepare one of their own. */
const shared = perFile(() => openWorld({ passingTime: true }));

test.each(failureList)("`$words` fails with $code and exits with $status", async (one) => {
  const { words, way, env, before, stdin = "", status, code, says } = one;
  const world = before ? await openWorld() : shared();
  await before?.(world);
  const options = { env: (await env?.(world)) ?? {}, stdin };
  const run = async (by: Way, ...flags: string[]) =>
    world.run(by, [...(await filledIn(world, words)), ...flags], options);
  // The form of the output is the same with --db and over HTTP.
  expectLine(await run(way ?? "--db"), status, says);
  expectJson(await run(way ?? "--server", "-o", "json"), status, code);
});

test.each(badEnds)("%s %s exits with %i", async (words, way, status, prints) => {
  const ran = await shared().run(way, await filledIn(shared(), words));
  expect(ran.stdout).toMatch(prints);
  expect(ran.stderr).not.toContain("platformctl: ");
  expect(ran.status).toBe(status);
});

test("Ctrl-C during a wait exits with 130", async () => {
  const id = await shared().execute("sleeper", "snore");
  const listening = Promise.withResolvers<() => void>();
  const io = {
    onInterrupt(listener: () => void) {
      listening.resolve(listener);
      return () => undefined;
    },
  };
  const waiting = shared().run("--server", ["commands", "wait", id], { io });
  (await listening.promise)();
  const stderr =
    "platformctl: interrupted, but this does not stop the command.\n" +
    `  wait for it: platformctl commands wait ${id}\n` +
    `  cancel it:   platformctl commands cancel ${id}\n`;
  expect(await waiting).toEqual({ status: 130, stdout: "", stderr });
});

const inFolder = (name: string) => join(shared().config.dataDir, name);

test.each<[what: string, target: () => unknown, code: string, says: RegExp]>([
  [
    "a server that is not running",
    async () => `--server http://127.0.0.1:${await closedPort()}`,
    "UNREACHABLE",
    /cannot reach http:\/\/127.0.0.1:\d+ \(connection refused\): is `platform serve` running there\? Use --db FILE/,
  ],
  [
    "a server that is not ours",
    async () => `--server ${await serveHttp((_, response) => response.end("<h1>It works!</h1>"))}`,
    "UNAVAILABLE",
    /http:\/\/127.0.0.1:\d+ responded with 200, but the response is not from this API/,
  ],
  [
    "a file that does not exist",
    () => `--db ${inFolder("nothing.db")}`,
    "UNAVAILABLE",
    /Cannot open the database .*nothing.db: there is no such file/,
  ],
  [
    "a file that is not a database",
    () => {
      writeFileSync(inFolder("notes.db"), "milk, bread\n");
      return `--db ${inFolder("notes.db")}`;
    },
    "UNAVAILABLE",
    /notes.db: it is not an SQLite database/,
  ],
  ["a folder", () => `--db ${shared().config.dataDir}`, "UNAVAILABLE", /Cannot open the database /],
])("6: %s as the target", async (_, target, code, says) => {
  const words = `agents list ${await target()}`.split(" ");
  expectLine(await cli(words), 6, says);
  expectJson(await cli([...words, "-o", "json"]), 6, code);
});

test.each([
  {
    words: [],
    env: {},
    says: /no destination: give --server URL or --db DATABASE.*platformctl login/,
  },
  { words: ["--server", "http://x/?a=b"], env: {}, says: /, without user, \? or #\.$/m },
  { words: ["--server", "http://@x"], env: {}, says: /, without user, \? or #\.$/m },
  { words: [], env: { URL: "ftp://x" }, says: /PLATFORM_URL must be a URL such as http/ },
])("a command with an invalid target exits with 2: $words $env", async ({ words, env, says }) => {
  expectLine(await cli(["agents", "list", ...words], { env }), 2, says);
});

test("commands on the file ignore the settings of the listener", async () => {
  const { run } = shared();
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

test("--debug prints requests but no credentials", async () => {
  const world = shared();
  const words = ["agents", "list", "--search", world.key, "--debug"];
  const overHttp = await world.run("--server", words);
  const place = "/api/admin/agents?page=1&pageSize=100&sort=code&q=platform_key_[REDACTED] 200";
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
  expect(ran).toMatchObject(failing(status, /^[^\n]+\n$/));
  const { error, ...more } = JSON.parse(ran.stderr);
  expect(more).toEqual({});
  const { details: _, ...rest } = error;
  expect(rest).toEqual({ code, message: expect.any(String) });
}
