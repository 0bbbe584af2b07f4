// `platform ready`: waits for an answer where the server of this host listens.

import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { cli } from "../world.ts";

const ready = { success: true, data: { ready: true } };
const full = {
  success: true,
  data: { ready: false, reason: "DISK_FULL", message: "The disk is full." },
};
const misdirected = { success: false, error: { code: "MISDIRECTED_HOST", message: "Not here." } };
const starting = { success: false, error: { code: "UNAVAILABLE", message: "Not yet." } };

test.each([
  [200, ready],
  [421, misdirected],
])("the server has answered with %i", async (status, body) => {
  const port = await listening((server) => server.listen(0, "127.0.0.1"), status, body);
  expect(await cli(["ready"], { env: { PORT: String(port) } })).toEqual({
    status: 0,
    stdout: "",
    stderr: "",
  });
});

test.each([
  [200, "<html>"],
  [200, {}],
  [200, { success: true, data: null }],
  [200, { success: true, data: { ready: "yes" } }],
  [404, { success: false, error: { code: "NOT_FOUND", message: "No such page." } }],
  [503, starting],
  [400, { success: false, error: { code: "OF_ANOTHER", message: "What?" } }],
])("another program has, with %i %j", async (code, body) => {
  const port = await listening((server) => server.listen(0, "127.0.0.1"), code, body);
  const { status, stderr } = await cli(["ready", "--port", String(port), "--timeout", "0s"]);
  expect([status, stderr]).toEqual([
    8,
    expect.stringContaining(`the program at http://127.0.0.1:${port} is not this server`),
  ]);
});

test("a server that answers and may not be given work is waited for; in the end it is told why", async () => {
  const port = await listening((server) => server.listen(0, "127.0.0.1"), 503, full);
  const { status, stderr } = await cli(["ready", "--port", String(port), "--timeout", "0s"]);
  expect([status, stderr]).toEqual([
    8,
    expect.stringMatching(/the server at \S+ is not ready after 0s: The disk is full\.\n$/),
  ]);
});

test("it waits until the server listens", async () => {
  const port = await freePort();
  const waiting = cli(["ready", "--port", String(port), "--pid", String(process.pid)]);
  await listening((server) => server.listen(port, "127.0.0.1"), 200, ready);
  expect((await waiting).status).toBe(0);
});

test("a server that has ended has not answered: another one has", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const port = await listening((server) => server.listen(0, "127.0.0.1"), 200, ready);
  const { status, stderr } = await cli(["ready", "--port", String(port), "--pid", String(pid)]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`process ${pid}) has ended`)]);
});

test.each([
  [["--port", "0"], {}, "--port 0 chooses a free port"],
  [[], { PORT: "0" }, "PLATFORM_PORT 0 chooses a free port"],
])("nobody knows a free port before: %j %j", async (words, env, says) => {
  const { status, stderr } = await cli(["ready", ...words], { env });
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});

test("when the time is over it says where nobody was", async () => {
  const port = await freePort();
  const { status, stderr } = await cli(["ready", "--port", String(port), "--timeout", "0s"]);
  expect([status, stderr]).toEqual([
    8,
    expect.stringContaining(`no response from http://127.0.0.1:${port} after`),
  ]);
});

test("with the process of the server the waiting ends", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const port = await freePort();
  const { status, stderr } = await cli(["ready", "--port", String(port), "--pid", String(pid)]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`process ${pid}) has ended`)]);
});

test("settings that serve refuses are refused", async () => {
  const { status, stderr } = await cli(["ready"], { env: { PORT: "x" } });
  expect([status, stderr]).toEqual([2, expect.stringContaining("PLATFORM_PORT")]);
});

async function listening(
  listen: (server: Server) => void,
  status: number,
  body: unknown,
): Promise<number> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const server = createServer((_, response) => response.writeHead(status).end(text));
  onTestFinished(() => void server.close());
  listen(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

/** Nobody listens there for now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
