// Tests the live stream of a real server: changes that platformctl makes in the file, and shutdown.

import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createKey } from "../helpers/process/operator.ts";
import { platformctl, startServer, until } from "../helpers/process/process.ts";
import { notebook } from "../helpers/process/watcher.ts";

test("the stream sends another process's changes, and closes with 1001 on SIGTERM", async () => {
  const server = await startServer();
  const key = await createKey(server, "viewer");
  const told = notebook();
  const open = () => {
    const url = `${server.url.replace("http", "ws")}/api/admin/stream`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    onTestFinished(() => socket.terminate());
    const closed = new Promise((resolve) => socket.on("close", resolve));
    return { socket, closed };
  };
  const [stream, idle] = [open(), open()];
  stream.socket.on("message", (data) => told.note(data as Buffer));
  await until("both are open", () =>
    [stream, idle].every(({ socket }) => socket.readyState === WebSocket.OPEN),
  );
  idle.socket.pause();

  const made = await platformctl(["tokens", "create", "--name", "theirs", "--db", server.file]);
  expect(made.status).toBe(0);
  const event = await told.until("audit", ({ action }) => action === "registration_token.created");
  expect(event).toMatchObject({ actorType: "LOCAL", metadata: { name: "theirs" } });

  const started = performance.now();
  const ended = await server.stop();
  const tookMs = performance.now() - started;
  console.log(`SIGTERM with a reader that does not respond: ended after ${tookMs.toFixed(0)} ms`);
  expect(await stream.closed).toBe(1001);
  expect(ended.status).toBe(0);
  expect(tookMs).toBeLessThan(8000);
});
