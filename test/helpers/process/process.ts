// Real programs for tests: `platform serve` on a temporary folder, `platformctl` beside it, and agents
// that are a few calls of fetch. They see next to nothing of the caller's environment, and none outlives
// the test that started it.

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { temporaryFolder } from "../app.ts";
import { atEnd } from "../lifetime.ts";
import { bin } from "./installed.ts";

export interface Ended {
  /** Null when a signal ended it. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  readonly pid: number;
  /** What it has written to standard error so far. */
  stderr(): string;
  stdout(): string;
  running(): boolean;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Sent to standard input, which is closed then. */
  stdin?: string;
  /** Another folder to start it from: that of the sources. */
  from?: string;
  /** A command that starts it: into a namespace, say. */
  enter?: readonly [string, ...string[]];
}

/** Starts `bin/<name> <words>`; it is killed when the test ends. */
export function startProgram(
  name: "platform" | "platformctl",
  words: string[],
  options: ProgramOptions = {},
): Program {
  const command = [...(options.enter ?? []), join(options.from ?? bin, name), ...words];
  return startCommand(command as [string, ...string[]], options);
}

/** The same for any program. */
export function startCommand(
  [program, ...words]: [string, ...string[]],
  options: Pick<ProgramOptions, "env" | "stdin"> = {},
): Program {
  const child = spawn(program, words, { env: cleanEnv(options.env), stdio: "pipe" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A program that ends without reading is no error of the test's.
  child.stdin.on("error", () => undefined).end(options.stdin ?? "");
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
  const running = () => child.exitCode === null && child.signalCode === null;
  const killNow = () => void child.kill("SIGKILL");
  process.once("exit", killNow);
  child.once("close", () => process.off("exit", killNow));
  atEnd(async () => {
    if (running()) killNow();
    await ended;
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    running,
    signal: (signal) => void child.kill(signal),
    ended,
  };
}

/** Runs `platformctl <words>` to its end. */
export function platformctl(words: string[], options: ProgramOptions = {}): Promise<Ended> {
  return startProgram("platformctl", words, options).ended;
}

export interface Server extends Program {
  url: string;
  dataDir: string;
  /** The database file. */
  file: string;
  /** How long it took until it listened. */
  readyMs: number;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Ended>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<Ended>;
}

/** For a server whose agents are waited for: they are heard of every 2 or 3 s. */
export const frequentNews = {
  PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "2",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "12",
};

export interface ServerOptions {
  /** A new temporary one when absent. */
  dataDir?: string;
  /** A folder that is not there is left to the server to make; else it has been served from before. */
  firstStart?: boolean;
  /** Of a server that is started again; a free one when absent. */
  port?: number;
  env?: Record<string, string>;
  from?: string;
  /** With it `dataDir` is made by the caller; it may not be seen from here. */
  enter?: readonly [string, ...string[]];
}

/** Starts `platform serve` and waits until it listens. There is an owner. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? join(temporaryFolder(), "data");
  if (!options.firstStart && !options.enter && !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  }
  const started = performance.now();
  const port = String(options.port ?? 0);
  const words = ["serve", "--port", port, "--data-dir", dataDir, "--log-format", "json"];
  const { env = {}, from = bin, enter } = options;
  const program = startProgram("platform", words, { env, from, ...(enter ? { enter } : {}) });
  const listening = await until("the server listens", () => {
    if (!program.running()) throw new Error(`the server ended at once: ${program.stderr()}`);
    return logLines(program.stderr()).find((line) => line.msg === "listening");
  });
  const end = (signal: NodeJS.Signals) => {
    program.signal(signal);
    return program.ended;
  };
  return {
    ...program,
    url: String(listening.url),
    dataDir,
    file: String(listening.database),
    readyMs: performance.now() - started,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

/** The lines of a log that are JSON. */
export function logLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Looks again and again until there is something; throws with `what` when the time is over. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  withinMs = 15_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  while (true) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
    await sleep(5);
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** One HTTP request with a JSON body; rejects when there is no answer. */
export async function send(
  url: string,
  method: string,
  path: string,
  options: { bearer?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { bearer, body } = options;
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

export interface RemoteAgent {
  agentId: string;
  agentToken: string;
  /** A call with the agent's token; `path` follows `/api/agents`. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Registers an agent over HTTP. Throws unless the answer is 201. */
export async function registerAgent(
  url: string,
  registrationToken: string,
  code: string,
  services: unknown[] = [],
): Promise<RemoteAgent> {
  const body = { registrationToken, agent: { code, mode: "sidecar" }, services };
  const answer = await send(url, "POST", "/api/agents/register", { body });
  if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
  const { agentId, agentToken } = answer.body.data;
  return { agentId, agentToken, call: callAs(url, agentToken) };
}

/** The calls of an agent that has its token. */
export function callAs(url: string, agentToken: string): RemoteAgent["call"] {
  return (method, path, body) =>
    send(url, method, `/api/agents${path}`, { bearer: agentToken, body });
}

/** Polls, and answers each command with what `work` makes of it, until the test ends. */
export function keepWorking(
  agent: RemoteAgent,
  work: (command: { id: string; type: string; payload: object }) => object,
): void {
  let ended = false;
  const loop = async () => {
    while (!ended) {
      const polled = await agent.call("GET", "/commands?wait=1").catch(() => null);
      for (const command of polled?.body.data.commands ?? []) {
        await agent.call("POST", `/commands/${command.id}/result`, work(command));
      }
    }
  };
  const working = loop();
  atEnd(() => {
    ended = true;
    return working;
  });
}

/** What a program needs of its surroundings; all else (NO_COLOR, CI, TERM …) would change what it does. */
const passedOn = /^(PATH|HOME|TMPDIR|LANG|LC_\w+|USER|LOGNAME|SHELL|NODE_COMPILE_CACHE)$/;

/** The environment for a program: the least of the caller's, and `more`. */
export function cleanEnv(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passedOn.test(entry[0]),
  );
  // Nobody's own contexts are read, and none are written.
  return { ...Object.fromEntries(kept), XDG_CONFIG_HOME: "/nonexistent", ...more };
}
