// `platform ready`: waits for an answer where the server of this host listens.

import { spawnSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { cli } from "./world.ts";

test.each([200, 421, 503])("an answer of %i is an answer", async (status) => {
  const port = await listening((server) => server.listen(0, "127.0.0.1"), status);
  expect(await cli(["ready"], { env: { PORT: String(port) } })).toEqual({
    status: 0,
    stdout: "",
    stderr: "",
  });
});

test("it waits until somebody listens", async () => {
  const port = await freePort();
  const waiting = cli(["ready", "--port", String(port), "--pid", String(process.pid)]);
  await listening((server) => server.listen(port, "127.0.0.1"), 200);
  expect((await waiting).status).toBe(0);
});

test("when the time is over it says where nobody was", async () => {
  const port = await freePort();
  const { status, stderr } = await cli(["ready", "--port", String(port), "--timeout", "0s"]);
  expect([status, stderr]).toEqual([
    8,
    expect.stringContaining(`no answer from http://127.0.0.1:${port} after`),
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

async function listening(listen: (server: Server) => void, status: number): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end("{}"));
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
