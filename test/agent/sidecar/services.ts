// Services for the tests of the sidecar's parts: what listens on loopback until the test is over.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { onTestFinished } from "vitest";

/** Answers its URL. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Takes connections and says nothing. Answers its port. */
export async function serveTcp(): Promise<number> {
  const server = createTcpServer((socket) => socket.on("error", () => undefined).resume());
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that nobody listens on: one that was in use a moment ago. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const stuckProgram = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A port whose program takes no connections any more: its queue is full, and to connect hangs. */
export async function stuckPort(): Promise<number> {
  const child = spawn(process.execPath, ["-e", stuckProgram], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(text);
  // A queue of one holds two.
  for (let count = 0; count < 2; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
  }
  return port;
}

/**
 * What the promise comes to; rejects after 5 s. For what ends at once: what waits for a connection to a
 * stuck port is given up by undici after 10 s.
 */
export async function atOnce<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it did not end at once")), 5000);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export interface WatchedEnv {
  env: Record<string, string>;
  /** Resolves when the variable has been read: a call that needs it as a header has begun to connect. */
  isRead: Promise<void>;
}

/** An environment that tells when its one variable is read. */
export function watchedEnv(name: string): WatchedEnv {
  const read = Promise.withResolvers<void>();
  const env = {
    get [name]() {
      // What follows the reading, up to the connecting, waits for nothing from outside.
      setImmediate(() => setImmediate(read.resolve));
      return "value";
    },
  };
  return { env, isRead: read.promise };
}
