// What the story is played on: its programs, the operator's terminal, and the checks.

import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, createClient } from "../../../client/client.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { randomBase62 } from "../../../lib/base62.ts";
import { selfCommand } from "../../self.ts";
import type { Io } from "../../terminal/io.ts";
import { demoEnvironment, type Found, type Program, startProgram, until } from "./processes.ts";
import { sidecarFile } from "./sidecar-file.ts";

export interface Check {
  what: string;
  held: boolean;
}

export interface Shown {
  status: number;
  stdout: string;
}

/** Short intervals, so that the story is not a long one. Of production they are tenfold and more. */
const quickServer = {
  PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
  PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "5",
  PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "15",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "8",
  PLATFORM_MAINTENANCE_INTERVAL_SECONDS: "2",
  PLATFORM_LOG_FORMAT: "json",
};

export class Stage {
  readonly folder: string;
  readonly programs: Program[] = [];
  readonly checks: Check[] = [];
  /** Where the server answers, once it does. */
  url = "";
  apiKey = "";
  /** Who signs in to the console; the server makes this owner. */
  readonly owner = {
    username: "admin",
    password: randomBase62(16, (bytes) => void randomFillSync(bytes)),
  };
  readonly #io: Io;
  /** Aborted when the person at the terminal has seen enough. */
  readonly #signal: AbortSignal;
  #collectorPort = "0";
  #client: Client | null = null;

  constructor(io: Io, folder: string, signal: AbortSignal) {
    this.#io = io;
    this.#signal = signal;
    this.folder = folder;
  }

  get databaseFile(): string {
    return join(this.folder, "data", "platform.db");
  }

  get logFolder(): string {
    return join(this.folder, "logs");
  }

  /** Tells what comes next. */
  tell(text: string): void {
    this.say(`\n${this.#io.colour ? `\u001b[1m${text}\u001b[0m` : text}`);
  }

  say(text: string): void {
    this.#signal.throwIfAborted();
    this.#io.out(`${text}\n`);
  }

  /** Notes whether something is so; a story with a check that fails goes on, and ends 1. */
  check(what: string, held: boolean): void {
    this.checks.push({ what, held });
    this.say(`  ${held ? "✔" : "✘"} ${what}`);
  }

  /** Waits for something to be so; ends early when the demo is interrupted. */
  until<T>(what: string, seconds: number, look: () => Promise<Found<T>> | Found<T>): Promise<T> {
    return until(what, seconds, () => {
      this.#signal.throwIfAborted();
      return look();
    });
  }

  async startServer(): Promise<void> {
    const words = ["serve", "--port", "0", "--data-dir", join(this.folder, "data")];
    const server = this.#start("server", words, {
      ...quickServer,
      PLATFORM_ADMIN_USERNAME: this.owner.username,
      PLATFORM_ADMIN_PASSWORD: this.owner.password,
    });
    this.url = await this.until("the server listens", 15, () => {
      if (!server.running()) throw new Error("the server ended at once");
      return /"url":"([^"]+)"/.exec(server.output())?.[1];
    });
  }

  /** Answers where the collector listens; a second time it takes the same port. */
  async startCollector(): Promise<string> {
    const words = ["demo-collector", "--dir", this.logFolder, "--port", this.#collectorPort];
    const collector = this.#start("collector", words);
    const before = collector.output().length;
    const url = await this.until("the collector listens", 10, () =>
      /http:\S+/.exec(collector.output().slice(this.#collectorPort === "0" ? 0 : before)),
    ).then((match) => match[0]);
    this.#collectorPort = new URL(url).port;
    return url;
  }

  get #agentFile(): string {
    return join(this.folder, "edge-1", "agent.yaml");
  }

  /** The sidecar next to the collector. Answers the text of its agent.yaml. */
  startSidecar(collector: string, registrationToken: string): string {
    const text = sidecarFile({ server: this.url, collector });
    mkdirSync(dirname(this.#agentFile));
    writeFileSync(this.#agentFile, text);
    this.#runSidecar({ PLATFORM_REGISTRATION_TOKEN: registrationToken });
    return text;
  }

  startPageCache(registrationToken: string): void {
    const words = ["demo-cache", "--server", this.url, "--dir", join(this.folder, "edge-2")];
    this.#start("page-cache", words, { PLATFORM_REGISTRATION_TOKEN: registrationToken });
  }

  program(name: string): Program {
    const found = this.programs.findLast((program) => program.name === name);
    if (!found) throw new Error(`the demo has no program ${name}`);
    return found;
  }

  /** Prints a `platformctl` command and runs it; its output is printed as it comes. */
  async platformctl(words: string[], env: Record<string, string> = {}): Promise<Shown> {
    this.say(`\n$ platformctl ${words.map(quoted).join(" ")}`);
    const [command, ...args] = selfCommand("platformctl", words);
    const target = this.apiKey
      ? { PLATFORM_URL: this.url, PLATFORM_API_KEY: this.apiKey }
      : { PLATFORM_DB: this.databaseFile };
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...demoEnvironment(this.folder), ...target, ...env },
      signal: this.#signal,
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
      this.#io.out(String(chunk));
    });
    child.stderr.on("data", (chunk: Buffer) => this.#io.out(String(chunk)));
    const status = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 1));
    });
    return { status, stdout };
  }

  /** For checks: the same API, over HTTP. */
  get client(): Client {
    this.#client ??= createClient(
      httpTransport({ url: this.url, bearer: this.apiKey, userAgent: "platform-demo" }),
    );
    return this.#client;
  }

  /** After the story, for `--keep`: what it stopped and disabled lives again. */
  async revive(): Promise<void> {
    await this.startCollector();
    await this.platformctl(["agents", "enable", "edge-1"]);
    // By itself it would ask again after half a minute. It has its token: it needs no other.
    await this.program("sidecar").stop();
    this.#runSidecar();
  }

  /** Ends the programs, the last one first. */
  async clear(): Promise<void> {
    await this.#client?.close();
    for (const program of this.programs.toReversed()) await program.stop();
  }

  #runSidecar(env: Record<string, string> = {}): void {
    this.#start("sidecar", ["agent", "run", "--config", this.#agentFile], env);
  }

  #start(name: string, words: string[], env: Record<string, string> = {}): Program {
    this.say(`\n$ platform ${words.map(quoted).join(" ")} &`);
    const program = startProgram(this.folder, name, words, env);
    this.programs.push(program);
    return program;
  }
}

/** As a shell would need it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
