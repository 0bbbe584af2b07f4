// For tests of the sidecar's parts: a port that accepts no connections, and waits with a limit.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";

const stuckProgram = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** A port whose program accepts no more connections: its queue is full, so connecting hangs. */
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

/** The promise's value; rejects after 5 s. undici gives up a stuck connection after 10 s. */
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
  /** Resolves when the variable has been read and a call that needs it as a header has begun to connect. */
  isRead: Promise<void>;
}

/** An environment that notices when its only variable is read. */
export function watchedEnv(name: string): WatchedEnv {
  const read = Promise.withResolvers<void>();
  const env = {
    get [name]() {
      // Nothing between the read and the connection waits for anything outside.
      setImmediate(() => setImmediate(read.resolve));
      return "value";
    },
  };
  return { env, isRead: read.promise };
}
