import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { inTime } from "../../../src/lib/time-limit.ts";
import { atEnd } from "../../helpers/lifetime.ts";

const stuckProgram = `
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    require("node:fs").writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Returns a port whose accept queue is full, so that connecting hangs. */
export async function stuckPort(): Promise<number> {
  const child = spawn(process.execPath, ["-e", stuckProgram], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  atEnd(() => void child.kill("SIGKILL"));
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(text);
  // A backlog of one holds two connections.
  for (let count = 0; count < 2; count++) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    atEnd(() => void socket.destroy());
    await once(socket, "connect");
  }
  return port;
}

/** Rejects after 5 s, because undici would give up on a stuck connection only after 10 s. */
export function atOnce<T>(promise: Promise<T>): Promise<T> {
  return inTime(5000, promise);
}

export interface WatchedEnv {
  env: Record<string, string>;
  /** Resolves when a call has read the variable for a header and has begun to connect. */
  isRead: Promise<void>;
}

/** Creates an environment that notices when its only variable is read. */
export function watchedEnv(name: string): WatchedEnv {
  const read = Promise.withResolvers<void>();
  const env = {
    get [name]() {
      // The call does nothing asynchronous between reading the variable and connecting.
      setImmediate(() => setImmediate(read.resolve));
      return "value";
    },
  };
  return { env, isRead: read.promise };
}
