// Tests `platform ready`, which waits until the server of this host responds.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { claimPort, closedPort, serveHttp } from "../../helpers/http/listen.ts";
import { cli, failing } from "../world.ts";

const ready = { success: true, data: { ready: true } };
const full = {
  success: true,
  data: { ready: false, reason: "DISK_FULL", message: "The disk is full." },
};
const misdirected = { success: false, error: { code: "MISDIRECTED_HOST", message: "Not here." } };
const atOnce = ["--timeout", "0s"];
const starting = { success: false, error: { code: "UNAVAILABLE", message: "Not yet." } };

test.each([
  [200, ready],
  [421, misdirected],
])("a server that responds with %i is ready", async (status, body) => {
  const env = { PORT: await responding(status, body) };
  expect(await cli(["ready"], { env })).toEqual({ status: 0, stdout: "", stderr: "" });
});

test.each([
  [200, "<html>"],
  [200, { success: true, data: { ready: "yes" } }],
  [404, { success: false, error: { code: "NOT_FOUND", message: "No such page." } }],
  [503, starting],
])("a program that responds with %i %j is not this server", async (code, body) => {
  const port = await responding(code, body);
  const says = `another program responds at http://127.0.0.1:${port}; this server is not ready`;
  expect(await cli(["ready", "--port", port, ...atOnce])).toMatchObject(failing(8, says));
});

test("a server with another audit key is not this server", async () => {
  const folder = temporaryFolder();
  const port = await responding(200, { success: true, data: { ready: true, installationId: "b" } });
  const words = ["ready", "--port", port, "--data-dir", folder, "--pid", String(process.pid)];
  expect(await cli(words)).toMatchObject({ status: 0 });
  writeFileSync(join(folder, "audit.key"), Buffer.alloc(32, 7).toString("base64"));
  const says = /a server with another audit key responds at \S+; this server is not ready after 0s/;
  expect(await cli([...words, ...atOnce])).toMatchObject(failing(8, says));
});

test("the wait lasts until the server listens", async () => {
  const port = String(await claimPort());
  const waiting = cli(["ready", "--port", port, "--pid", String(process.pid)]);
  const server = createServer((_, response) => respond(response, 200, ready));
  onTestFinished(() => void server.close());
  server.listen(Number(port), "127.0.0.1");
  expect((await waiting).status).toBe(0);
});

const endedPid = String(spawnSync(process.execPath, ["--version"]).pid);
const fullDisk = () => responding(503, full);
const silent = async () => String(await closedPort());
const foreign = () => responding(200, ready);
test.each<[what: string, port: () => Promise<string>, words: string[], number, RegExp]>([
  [
    "a full disk",
    fullDisk,
    atOnce,
    8,
    /server at \S+ is not ready after 0s: The disk is full\.\n$/,
  ],
  ["no response", silent, atOnce, 8, /no response from http:\/\/127\.0\.0\.1:\d+ after/],
  ["the end of the process", silent, ["--pid", endedPid], 1, /process \d+\) has exited/],
  ["another server's response", foreign, ["--pid", endedPid], 1, /process \d+\) has exited/],
])("the wait ends with an error after %s", async (_, port, words, status, says) => {
  const ran = await cli(["ready", "--port", await port(), ...words]);
  expect(ran).toMatchObject(failing(status, says));
});

test.each([
  [["--port", "0"], {}, "--port 0 chooses a free port"],
  [[], { PORT: "0" }, "PLATFORM_PORT 0 chooses a free port"],
  [[], { PORT: "x" }, "PLATFORM_PORT: must be a whole number"],
])("a random or invalid port is refused: %j %j", async (words, env, says) => {
  const { status, stderr } = await cli(["ready", ...words], { env });
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});

/** Returns the port of a server that always sends this response. */
async function responding(status: number, body: unknown): Promise<string> {
  return new URL(await serveHttp((_, response) => respond(response, status, body))).port;
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
}
