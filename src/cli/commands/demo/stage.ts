// Runs the demo's programs, the operator's commands, and the checks.

import { randomFillSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "../../../client/client.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { readEnv } from "../../../config/env.ts";
import { randomBase62 } from "../../../lib/base62.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import type { Invocation } from "../../command.ts";
import { wrapTo } from "../../output/text-width.ts";
import type { Io } from "../../terminal/io.ts";
import type { DemoDatabase } from "./database.ts";
import { type Program, startProgram } from "./processes.ts";
import { sidecarFile } from "./sidecar-file.ts";

export interface Shown {
  status: number;
  stdout: string;
}

type Found<T> = T | null | undefined | false;

/** The width of what the demo prints, which fits the usual terminal. */
const columns = 80;

/** Intervals that are at most a tenth of the usual ones, to keep the demo short. */
const quickServer = {
  PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
  PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "5",
  PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "15",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "8",
  PLATFORM_MAINTENANCE_INTERVAL_SECONDS: "2",
  PLATFORM_LOG_FORMAT: "json",
};

export class Stage {
  readonly programs: Program[] = [];
  readonly checks: { what: string; passed: boolean }[] = [];
  /** The URL that the agents call. Empty until a server listens. */
  agentsUrl = "";
  /** Empty as long as the operator works on the database itself. */
  apiKey = "";
  readonly owner = {
    username: "admin",
    password: randomBase62(16, (bytes) => void randomFillSync(bytes)),
  };
  readonly folder: string;
  readonly database: DemoDatabase;
  readonly logFolder: string;
  readonly #io: Io;
  readonly #run: Invocation["run"];
  readonly #signal: AbortSignal;
  readonly #agentFile: string;
  /** The server that the operator uses. */
  #server: Program | null = null;
  #client: Client | null = null;
  #chapters = 0;

  constructor(
    { io, run }: Pick<Invocation, "io" | "run">,
    folder: string,
    database: DemoDatabase,
    signal: AbortSignal,
  ) {
    this.#io = io;
    this.#run = run;
    this.#signal = signal;
    this.folder = folder;
    this.database = database;
    this.logFolder = join(folder, "logs");
    this.#agentFile = join(folder, "edge-1", "agent.yaml");
  }

  /** The URL of the server that the operator uses. */
  get url(): string {
    return this.#server?.url ?? "";
  }

  /** Begins a numbered chapter of the story. */
  announce(text: string): void {
    const title = wrapTo(`${++this.#chapters}. ${text}`, columns);
    this.say(`\n${this.#io.colour ? `\u001b[1m${title}\u001b[0m` : title}`);
  }

  say(text: string): void {
    this.#signal.throwIfAborted();
    this.#io.out(`${text}\n`);
  }

  /** After a failed check, the demo continues and exits with 1. */
  check(what: string, passed: boolean): void {
    this.checks.push({ what, passed });
    this.say(`  ${passed ? "✔" : "✘"} ${what}`);
  }

  /** Calls `look` every 100 ms until it returns a result. Throws after `seconds`. */
  async until<T>(
    what: string,
    seconds: number,
    look: () => Promise<Found<T>> | Found<T>,
  ): Promise<T> {
    const deadline = performance.now() + seconds * 1000;
    while (true) {
      this.#signal.throwIfAborted();
      const found = await look();
      if (found) return found;
      if (performance.now() > deadline) throw new Error(`timed out after ${seconds} s: ${what}`);
      await sleep(100);
    }
  }

  /** Starts a server under a new name. `dataFolder` is within the demo's folder. */
  async startServer(name: string, dataFolder = name): Promise<void> {
    const words = ["serve", "--port", "0", "--data-dir", join(this.folder, dataFolder)];
    const server = await this.#startListening(name, words, {
      ...quickServer,
      ...this.database.ofServers,
      PLATFORM_ADMIN_USERNAME: this.owner.username,
      PLATFORM_ADMIN_PASSWORD: this.owner.password,
    });
    this.say(`  it listens at ${server.url}`);
    this.agentsUrl ||= server.url;
    this.#server ??= server;
  }

  /** From now on, the operator uses this server. */
  async operateAt(name: string): Promise<void> {
    await this.#client?.close();
    this.#client = null;
    this.#server = this.program(name);
  }

  /** Returns the collector's URL. */
  async startCollector(port = "0"): Promise<string> {
    const words = ["demo-collector", "--dir", this.logFolder, "--port", port];
    return (await this.#startListening("collector", words)).url;
  }

  /** Returns the text of the sidecar's agent.yaml. */
  startSidecar(collector: string, registrationToken: string): string {
    const text = sidecarFile({ server: this.agentsUrl, collector });
    mkdirSync(dirname(this.#agentFile));
    writeFileSync(this.#agentFile, text);
    this.#runSidecar({ PLATFORM_REGISTRATION_TOKEN: registrationToken });
    return text;
  }

  startPageCache(registrationToken: string): void {
    const words = ["demo-cache", "--server", this.agentsUrl, "--dir", join(this.folder, "edge-2")];
    this.#start("page-cache", words, { PLATFORM_REGISTRATION_TOKEN: registrationToken });
  }

  program(name: string): Program {
    const found = this.programs.findLast((program) => program.name === name);
    if (!found) throw new Error(`the demo has no program ${name}`);
    return found;
  }

  async platformctl(...words: string[]): Promise<Shown> {
    this.say(`\n$ platformctl ${words.map(shellWord).join(" ")}${this.#whereComment()}`);
    const target = this.apiKey
      ? { PLATFORM_URL: this.url, PLATFORM_API_KEY: this.apiKey }
      : this.database.ofCommands;
    let stdout = "";
    const out = (text: string) => {
      stdout += text;
      this.#io.out(text);
    };
    const io: Io = {
      ...this.#io,
      program: "platformctl",
      env: readEnv(target),
      configFolder: null,
      out,
      outBytes: async (bytes) => out(Buffer.from(bytes).toString()),
      note: this.#io.out,
      interactive: false,
      isTerminal: false,
      width: columns,
      noteWidth: undefined,
      colour: false,
      canDraw: false,
      onInterrupt: (listener) => {
        this.#signal.addEventListener("abort", listener, { once: true });
        return () => this.#signal.removeEventListener("abort", listener);
      },
    };
    return { status: await this.#run(io, words), stdout };
  }

  /** Says which server a command uses, if there are several. */
  #whereComment(): string {
    if (this.database.kind === "file") return "";
    return `   # ${this.apiKey ? `at ${this.#server?.name}` : "on the database itself"}`;
  }

  get client(): Client {
    this.#client ??= createClient(
      httpTransport({ url: this.url, bearer: this.apiKey, userAgent: "platform-demo" }),
    );
    return this.#client;
  }

  /** For `--keep`: restarts and enables what the demo has stopped and disabled. */
  async revive(): Promise<void> {
    await this.startCollector(new URL(this.program("collector").url).port);
    await this.platformctl("agents", "enable", "edge-1");
    // The running sidecar would retry only after half a minute. It already has its token.
    await this.program("sidecar").stop();
    this.#runSidecar();
    if (this.database.kind === "file") return;
    await this.program("page-cache").stop();
    const { token } = await this.client.call("registration-tokens.create", { body: {} });
    this.startPageCache(token);
  }

  async clear(): Promise<void> {
    await this.#client?.close();
    for (const program of this.programs.toReversed()) await program.stop();
  }

  #runSidecar(env: Record<string, string> = {}): void {
    this.#start("sidecar", ["agent", "run", "--config", this.#agentFile], env);
  }

  async #startListening(name: string, words: string[], env = {}): Promise<Program> {
    const program = this.#start(name, words, env);
    program.url = await this.until(`${name} listens`, 15, () => {
      if (!program.running()) throw new Error(`${name} exited immediately`);
      return /(?<="url":"|^)http:[^"\s]+/m.exec(program.output())?.[0];
    });
    return program;
  }

  #start(name: string, words: string[], env: Record<string, string>): Program {
    this.say(`\n$ platform ${words.map(shellWord).join(" ")} &`);
    const log = join(this.folder, `${this.programs.length}-${name}.log`);
    const program = startProgram(this.folder, log, name, words, env);
    this.programs.push(program);
    return program;
  }
}
