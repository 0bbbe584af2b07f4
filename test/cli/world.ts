// Runs the command line in this process. It uses a server with two agents, over HTTP (`--server`)
// or through its database (`--db`).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect } from "vitest";
import { realWorld } from "../../src/app.ts";
import { runWords } from "../../src/cli/index.ts";
import type { Io } from "../../src/cli/terminal/io.ts";
import {
  runningClock,
  type ServiceInput,
  type TestAgent,
  temporaryFolder,
  testClock,
} from "../helpers/app.ts";
import { cheapScryptCost } from "../helpers/cheap-passwords.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { isChosen, settingsForWords } from "../helpers/postgres-app.ts";

// Commands with `--db` hash passwords in this process.
realWorld.scryptCost = cheapScryptCost;

export interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs `platformctl <words>` without a terminal, unless `io` provides one. */
export async function cli(
  words: string[],
  options: { stdin?: string; env?: Record<string, string>; io?: Partial<Io> } = {},
): Promise<Ran> {
  const { env = {} } = options;
  let stdout = "";
  let stderr = "";
  // `serve` changes the umask of its process, which is the tests' process here.
  const umask = process.umask(0o022);
  process.umask(umask);
  const status = await runWords(
    {
      program: "platformctl",
      env: { ...settingsForWords([...words, ...Object.values(env)]), ...env },
      wholeEnv: { HOME: process.env.HOME, PATH: process.env.PATH },
      configFolder: temporaryFolder(),
      out(text) {
        stdout += text;
      },
      outBytes: async (bytes) => {
        stdout += Buffer.from(bytes).toString("latin1");
      },
      note(text) {
        stderr += text;
      },
      showLine: () => undefined,
      readStdin: async () => options.stdin ?? "",
      interactive: false,
      isTerminal: options.io?.width !== undefined,
      width: undefined,
      colour: false,
      canDraw: false,
      now: () => Date.now(),
      // An editor that leaves every text unchanged.
      editor: "true",
      pager: undefined,
      lendTerminal: (work) => work(),
      onInterrupt: () => () => undefined,
      onLostOutput: () => () => undefined,
      ...options.io,
    },
    words,
  ).finally(() => process.umask(umask));
  return { status, stdout, stderr };
}

/** Matches the result of a command that fails with this text in its error. */
export function failing(status: number, says: string | RegExp) {
  const isText = typeof says === "string";
  const stderr = isText ? expect.stringContaining(says) : expect.stringMatching(says);
  return { status, stdout: "", stderr };
}

/** Writes this text, or this object as JSON, into a new file. Returns its path. */
export function fileWith(content: string | object, name = "route.yaml"): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

export const ways = ["--server", "--db"] as const;
export type Way = (typeof ways)[number];

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A test that may take a new `world`. */
export const test = base.extend("world", () => openWorld());

const schema = {
  type: "object",
  properties: { level: { type: "string" }, lines: { type: "integer" } },
};

/**
 * The service of an agent that completes every command. `explode` fails; `rotate-log` requires
 * confirmation.
 */
export const collector: ServiceInput = {
  code: "log-collector",
  name: "Log collector",
  version: "1.4.0",
  healthStatus: "UP",
  configs: [{ key: "level", type: "string", valuePreview: "info" }],
  actions: [
    { name: "set-level", inputSchema: schema },
    { name: "explode" },
    { name: "rotate-log", dangerLevel: "HIGH" },
  ],
};

/** The service of an agent that is online but fetches no commands. */
export const sleeper: ServiceInput = {
  code: "sleeper",
  name: "Sleeper",
  version: "0.9.0",
  healthStatus: "DOWN",
  actions: [{ name: "snore", timeoutSeconds: 1 }],
};

/** The results that the working agent returns instead of the defaults. */
export interface Results {
  prepared?: object;
  executed?: object;
}

export interface WorldOptions extends Results {
  /**
   * Sets the clocks of the server and the command line to `startOfTime` instead of the real time.
   */
  fixedTime?: boolean;
  /** Lets time pass, for commands whose waits end on the server. */
  passingTime?: boolean;
}

/**
 * Starts a service with the two agents `edge-1` (works) and `edge-2` (fetches no commands). Its
 * clock stands still at the real time, or at `startOfTime` with `fixedTime`. With `passingTime`, it
 * runs.
 */
export async function openWorld(options: WorldOptions = {}) {
  const { fixedTime = false, passingTime = false, ...results } = options;
  const clock = passingTime ? runningClock() : testClock();
  const test = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" }, { clock });
  if (!fixedTime) test.clock.advance(Date.now() - test.clock.now());
  if (isChosen()) await fixTime(test.clock.now);
  const working = await test.registerAgent("edge-1", [collector]);
  keepWorking(test, working, results);
  const sleeping = await test.registerAgent("edge-2", [sleeper]);
  const owner = test.as("owner");
  const { key } = await owner.call("api-keys.create", { body: { name: "test", role: "owner" } });
  return {
    ...test,
    /** An API key with the owner role. */
    key,
    /** The agent `edge-1`. */
    working,
    /** The agent `edge-2`. */
    sleeping,
    /** Runs a command over HTTP or on the database, as an owner. */
    run: (way: Way, words: string[], options: Parameters<typeof cli>[1] = {}) =>
      cli([...words, way, way === "--db" ? test.db : test.url], {
        ...options,
        env: { API_KEY: key, ...options.env },
        ...(fixedTime ? { io: { now: test.clock.now, ...options.io } } : {}),
      }),
    /** Returns the commands that run actions, newest first. */
    executions: () => owner.call("commands.list", { query: { type: "ACTION_EXECUTE" } }),
    /** Creates a command and returns its id. */
    async execute(serviceCode: string, actionName: string, payload: object = {}) {
      const { data } = await owner.page("services.list", { query: { q: serviceCode } });
      const { command } = await owner.call("actions.execute", {
        params: { serviceId: data[0]?.id ?? "", actionName },
        body: { payload: payload as Record<string, string> },
      });
      return command?.id ?? "";
    },
  };
}

/** Replaces the time of the PostgreSQL server, which commands use instead of their own. */
async function fixTime(now: () => number): Promise<void> {
  const { PostgresDatabase } = await import("../../src/store/engine/postgresql/database.ts");
  const { open } = PostgresDatabase;
  PostgresDatabase.open = (options) => open.call(PostgresDatabase, { now, ...options });
  atEnd(() => {
    PostgresDatabase.open = open;
  });
}

/** Completes every command of an agent until the test ends. */
function keepWorking({ app }: ListeningApp, { client }: TestAgent, results: Results): void {
  let ended = false;
  const loop = async () => {
    while (!ended) {
      const { commands } = await client.call("agent.poll", { query: { wait: 30 } });
      for (const { id, type, action, payload } of commands) {
        const body =
          type === "ACTION_PREPARE"
            ? (results.prepared ?? prepared)
            : (results.executed ?? outcomeOf(action, payload));
        const result = body as typeof prepared;
        await client.call("agent.result", { params: { commandId: id }, body: result });
      }
    }
  };
  const working = loop();
  atEnd(() => {
    ended = true;
    app.core.doorbell.close();
    return working;
  });
}

function outcomeOf(action: string, payload: object) {
  return action === "explode"
    ? { success: false, error: { code: "BOOM", message: "it exploded" } }
    : { success: true, output: { did: action, payload } };
}

const prepared = {
  success: true,
  output: { initialPayload: { level: "info" }, currentState: { files: ["app.log"] } },
};
