// The real server, run from source with its own data directory. Its log shows when and where it
// listens.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messagesOf, stopChild } from "./helper-process.ts";
import type { ProbeAnswer, ProbeQuestion } from "./probe.ts";
import type { ServerProcess } from "./server-process.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const probeFile = fileURLToPath(new URL("probe.ts", import.meta.url));
const startSeconds = 60;

/** Keeps inserted agents and services online, although they may never send reports. */
export const patient = {
  PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "86000",
  PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "86400",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "86000",
};

export interface Subject extends ServerProcess {
  databaseFile: string;
}

export interface ProbedSubject extends Subject {
  /** Asks the probe inside the server's process. */
  probe(question: ProbeQuestion): Promise<ProbeAnswer>;
}

export function programArguments(program: "platform" | "platformctl", ...rest: string[]): string[] {
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
  return (await start(dataDir, signal, env, [])).subject;
}

/** The probe's timer costs a little, so throughput is measured without it. */
export async function startProbedSubject(
  dataDir: string,
  signal: AbortSignal,
  env: Record<string, string> = {},
): Promise<ProbedSubject> {
  const options = ["--expose-gc", "--import", probeFile];
  const { subject, child } = await start(dataDir, signal, env, options);
  const answer = messagesOf<ProbeAnswer>(child, "the server");
  const probe = (question: ProbeQuestion) => {
    child.send(question);
    return answer();
  };
  return { ...subject, probe };
}

async function start(
  dataDir: string,
  signal: AbortSignal,
  env: Record<string, string>,
  nodeOptions: string[],
): Promise<{ subject: Subject; child: ChildProcess }> {
  const logFile = join(dataDir, "server.log");
  // The old log contains the port of an earlier start.
  const log = openSync(logFile, "w");
  const args = ["serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", dataDir];
  const words = [...nodeOptions, ...programArguments("platform", ...args)];
  const child = spawn(process.execPath, words, {
    env: {
      ...process.env,
      PLATFORM_LOG_LEVEL: "info",
      PLATFORM_LOG_FORMAT: "json",
      // One agent in a bench sends as much as thousands of real agents.
      PLATFORM_MAX_REQUESTS_PER_SECOND: "1000000",
      ...env,
    },
    stdio: nodeOptions.length === 0 ? ["ignore", log, log] : ["ignore", log, log, "ipc"],
    signal,
  });
  child.on("error", () => {}); // an abort rejects the promise below instead
  try {
    const subject = {
      port: await listeningPort(child, logFile, signal),
      databaseFile: join(dataDir, "platform.db"),
      pid: child.pid as number,
      stop: () => stopChild(child),
    };
    return { subject, child };
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

/** `database` is a file or a `postgres:` URL. With a URL, `env` must name the files of its keys. */
export async function createKey(
  database: string,
  role: "owner" | "operator",
  env: Record<string, string> = {},
): Promise<string> {
  const words = ["api-keys", "create", "--name", `bench ${role}`, "--role", role, "-o", "json"];
  return JSON.parse(await platformctl([...words, "--db", database], env)).key;
}

async function platformctl(words: string[], env: Record<string, string>): Promise<string> {
  const all = programArguments("platformctl", ...words);
  const options = { env: { ...process.env, ...env } };
  return (await promisify(execFile)(process.execPath, all, options)).stdout;
}
