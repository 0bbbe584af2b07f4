// Runs real programs for tests: `platform serve` in a temporary folder, and `platformctl`. Also
// simulates agents with a few calls of fetch. The programs get almost nothing from the caller's
// environment, and end with the test.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { temporaryFolder } from "../app.ts";
import { claimPort } from "../http/listen.ts";
import { atEnd } from "../lifetime.ts";
import { settingsForWords } from "../postgres-app.ts";
import { bin } from "./installed.ts";

export interface Ended {
  /** The exit status; null if a signal ended the program. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  readonly pid: number;
  /** The standard error so far. */
  stderr(): string;
  stdout(): string;
  running(): boolean;
  signal(name: NodeJS.Signals): void;
  /**
   * Sends SIGKILL to the program, or to its whole group if it has one, and waits until it has
   * ended.
   */
  kill(): Promise<Ended>;
  ended: Promise<Ended>;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** Sent to standard input, which is then closed. */
  stdin?: string;
  cwd?: string;
  /** Gives the program its own process group, which is killed as a whole when the test ends. */
  group?: boolean;
}

export interface ProgramOptions extends CommandOptions {
  /** Another folder that contains the program, such as the folder of the sources. */
  from?: string;
  /** A command that starts the program, for example in a namespace. */
  enter?: readonly string[];
}

/** Starts `bin/<name> <words>`. The program is killed when the test ends. */
export function startProgram(
  name: "platform" | "platformctl",
  words: string[],
  { enter = [], from = bin, ...options }: ProgramOptions = {},
): Program {
  return startCommand([...enter, join(from, name), ...words], options);
}

/** Like `startProgram`, for any program. */
export function startCommand(
  [program = "", ...words]: string[],
  { env, stdin = "", cwd, group = false }: CommandOptions = {},
): Program {
  const child = spawn(program, words, {
    env: cleanEnv({ ...databaseEnv(words), ...env }),
    ...{ stdio: "pipe", cwd, detached: group },
  });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  // A program that ends without reading its input does not fail the test.
  child.stdin.on("error", () => undefined).end(stdin);
  const ended = once(child, "close").then(
    ([status, signal]): Ended => ({ status, signal, ...printed }),
  );
  const running = () => child.exitCode === null && child.signalCode === null;
  const killNow = () => {
    if (!group) return void child.kill("SIGKILL");
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // The whole group has ended.
    }
  };
  const kill = () => {
    if (running() || group) killNow();
    return ended;
  };
  process.once("exit", killNow);
  child.once("close", () => process.off("exit", killNow));
  atEnd(kill);
  return {
    pid: child.pid ?? 0,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    running,
    signal: (signal) => void child.kill(signal),
    kill,
    ended,
  };
}

/** Returns the variables that a program needs to use the test app's database that `words` name. */
export function databaseEnv(words: readonly string[]): Record<string, string> {
  const settings = Object.entries(settingsForWords(words));
  return Object.fromEntries(settings.map(([name, value]) => [`PLATFORM_${name}`, value]));
}

/** Runs `platformctl <words>` until it ends. */
export function platformctl(words: string[], options: ProgramOptions = {}): Promise<Ended> {
  return startProgram("platformctl", words, options).ended;
}

export interface Server extends Program {
  url: string;
  dataDir: string;
  /** The database file. */
  file: string;
  /** Sends SIGTERM and waits until the server has ended. */
  stop(): Promise<Ended>;
}

/** Settings for a server whose agents a test waits for: the agents call every 1 or 2 s. */
export const frequentNews = {
  PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "12",
};

export interface ServerOptions {
  /** The data folder; by default a new temporary one. */
  dataDir?: string;
  /**
   * Lets the server create its data folder. Otherwise, a missing folder is created as a copy of one
   * that was used before.
   */
  firstStart?: boolean;
  /** The port, for a server that is started again; by default a free port. */
  port?: number;
  env?: Record<string, string>;
  from?: string;
  /**
   * A command that starts the server, for example in a namespace. The caller must then create
   * `dataDir`, which this process may not see.
   */
  enter?: readonly string[];
}

/** Starts `platform serve` and waits until it listens. The server has an owner. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? join(temporaryFolder(), "data");
  if (!options.firstStart && !options.enter && !existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    cpSync(inject("templateDataDir"), dataDir, { recursive: true });
  }
  // A server that is started again can have the same port: nothing else gets it during the test.
  const port = String(options.port ?? (await claimPort()));
  const words = ["serve", "--port", port, "--data-dir", dataDir, "--log-format", "json"];
  const { env = {}, from = bin, enter = [] } = options;
  const program = startProgram("platform", words, { env, from, enter });
  const listening = await until("the server listens", () => {
    if (!program.running()) throw new Error(`the server ended immediately: ${program.stderr()}`);
    return logLines(program.stderr()).find((line) => line.msg === "listening");
  });
  return {
    ...program,
    url: String(listening.url),
    dataDir,
    file: String(listening.database),
    stop() {
      program.signal("SIGTERM");
      return program.ended;
    },
  };
}

/** Returns the lines of a log that are JSON. */
export function logLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{") && line.endsWith("}"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/**
 * Polls until `look` finds something, at first every 5 ms and then less often, because a look can
 * be a request. Throws an error with `what` after the timeout.
 */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  const started = performance.now();
  while (true) {
    const found = await look();
    if (found) return found;
    const waitedMs = performance.now() - started;
    if (waitedMs > withinMs) throw new Error(`${what}: not reached within ${withinMs} ms`);
    await sleep(Math.min(5 + waitedMs / 20, 100));
  }
}

/**
 * Waits until the number stands still for a moment, and returns it. A slow machine can end the wait
 * early.
 */
export async function untilStill(number: () => number): Promise<number> {
  let before = -1;
  return until("the number stands still", async () => {
    const isStill = number() === before;
    before = number();
    await sleep(200);
    return isStill && before;
  });
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body, or its text if it is not JSON, or null if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Objects are sent as JSON, text unchanged. */
  body?: unknown;
  bearer?: string;
  signal?: AbortSignal;
}

/** Sends one HTTP request. Rejects if there is no response. */
export async function send(
  url: string,
  method: string,
  path: string,
  { bearer, body, headers, signal }: RequestOptions = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json");
  const parsed = text === "" ? null : isJson ? JSON.parse(text) : text;
  return { status: answer.status, headers: answer.headers, body: parsed };
}

export interface RemoteAgent {
  agentId: string;
  agentToken: string;
  /** Makes a call with the agent's token. `path` is the part after `/api/agents`. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Registers an agent over HTTP. Throws unless the status is 201. */
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

/** Returns the function with which an agent that has a token makes its calls. */
export function callAs(url: string, agentToken: string): RemoteAgent["call"] {
  return (method, path, body) =>
    send(url, method, `/api/agents${path}`, { bearer: agentToken, body });
}

/**
 * The environment variables that a program needs. Others (NO_COLOR, CI, TERM …) would change its
 * behaviour.
 */
const passedOn = /^(PATH|HOME|TMPDIR|LANG|LC_\w+|USER|LOGNAME|SHELL|NODE_COMPILE_CACHE)$/;

/** Returns the environment for a program: the minimum from the caller's environment, and `more`. */
export function cleanEnv(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passedOn.test(entry[0]),
  );
  // The caller's platformctl contexts are neither read nor written.
  return { ...Object.fromEntries(kept), XDG_CONFIG_HOME: "/nonexistent", ...more };
}
