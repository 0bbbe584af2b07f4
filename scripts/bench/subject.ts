// The real server, run from source with its own data directory. Its log shows when and where it
// listens.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { processCpuMs } from "./cpu-time.ts";
import { type ServerProcess, stopChild } from "./server-process.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const startSeconds = 20;

export interface Subject extends ServerProcess {
  databaseFile: string;
}

function programArguments(program: "platform" | "platformctl", ...rest: string[]): string[] {
  // As in bin/launch.sh.
  const memory = program === "platform" ? ["--max-semi-space-size=8"] : [];
  return [
    "--disable-warning=ExperimentalWarning",
    ...memory,
    main,
    `--program=${program}`,
    ...rest,
  ];
}

/** Throws an Error with the end of the log if the server does not listen in time. */
export async function startSubject(
  dataDir: string,
  signal: AbortSignal,
  env: Record<string, string> = {},
): Promise<Subject> {
  const logFile = join(dataDir, "server.log");
  // The old log contains the port of an earlier start.
  const log = openSync(logFile, "w");
  const args = ["serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", dataDir];
  const child = spawn(process.execPath, programArguments("platform", ...args), {
    env: {
      ...process.env,
      PLATFORM_LOG_LEVEL: "info",
      PLATFORM_LOG_FORMAT: "json",
      // One agent in a bench sends as much as thousands of real agents.
      PLATFORM_MAX_REQUESTS_PER_SECOND: "1000000",
      ...env,
    },
    stdio: ["ignore", log, log],
    signal,
  });
  child.on("error", () => {}); // an abort rejects the promise below instead
  try {
    return {
      port: await listeningPort(child, logFile, signal),
      databaseFile: join(dataDir, "platform.db"),
      async cpuMicros() {
        const ms = processCpuMs(child.pid as number);
        return ms === null ? null : ms * 1000;
      },
      stop: () => stopChild(child),
    };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
}

async function listeningPort(
  child: ChildProcess,
  logFile: string,
  signal: AbortSignal,
): Promise<number> {
  const deadline = Date.now() + startSeconds * 1000;
  while (child.exitCode === null && Date.now() < deadline) {
    const line = (await readFile(logFile, "utf8"))
      .split("\n")
      .find((text) => text.includes('"msg":"listening"') && text.endsWith("}"));
    if (line) return Number(new URL(JSON.parse(line).url).port);
    await sleep(20, undefined, { signal });
  }
  const log = (await readFile(logFile, "utf8")).trimEnd().split("\n").slice(-20).join("\n");
  throw new Error(`The server did not start. The end of its log:\n${log}`);
}

export async function createRegistrationToken(databaseFile: string): Promise<string> {
  return JSON.parse(await platformctl(["tokens", "create", "-o", "json", "--db", databaseFile]))
    .token;
}

export async function createOwner(
  databaseFile: string,
  username: string,
  password: string,
): Promise<void> {
  const words = ["users", "create", "--username", username, "--role", "owner", "--password-stdin"];
  await platformctl([...words, "--db", databaseFile], password);
}

async function platformctl(words: string[], stdin = ""): Promise<string> {
  const running = promisify(execFile)(process.execPath, programArguments("platformctl", ...words));
  running.child.stdin?.end(stdin);
  return (await running).stdout;
}
