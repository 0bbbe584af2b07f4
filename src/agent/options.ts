// What `createAgent` takes, and the check that it can be used.

import { routes } from "../api/index.ts";
import { problemOfCa } from "../client/ca.ts";
import type { Json } from "../domain/json.ts";
import { AgentError } from "./errors.ts";
import type { AgentEvent } from "./events.ts";
import type { TokenStore } from "./token-store.ts";

/** Who the agent is, for operators. */
export interface AgentDescription {
  /** Unique in the workspace, and the same after a restart. */
  code: string;
  /** How it runs, in lower case: `embedded` in the program that it manages, `sidecar` beside it. */
  mode: string;
  name?: string | undefined;
  /** Of the program that embeds the agent. */
  version?: string | undefined;
  labels?: Record<string, string> | undefined;
  /** What it runs on; by default Node's version and the platform. */
  runtime?: Json | undefined;
}

export interface AgentOptions {
  /** Where the service is: `https://agents.example.com`. */
  server: string;
  /** Certificates in PEM, when the server's is from a CA of your own; only they are trusted then. */
  ca?: string | undefined;
  agent: AgentDescription;
  /**
   * Single-use; needed while `stateDir` holds no token. A function is asked each time one is needed,
   * also when the agent token was revoked: it lets an agent come back by itself.
   */
  registrationToken?: string | (() => string | Promise<string>) | undefined;
  /**
   * A folder of this agent's own: it holds `journal.jsonl` and, unless there is a `tokenStore`,
   * `token.json`; both of mode 0600. Made with mode 0700 when it is not there. Without what it holds
   * the agent is a new one to the server, and does not know which commands it has run.
   */
  stateDir: string;
  /** Keeps the agent's token in place of the file: in a secret store, for example. */
  tokenStore?: TokenStore | undefined;
  /** How many handlers run at once, 1 to 64; default 4. More commands wait on the server. */
  concurrency?: number | undefined;
  onEvent?: ((event: AgentEvent) => void) | undefined;
  timing?: Timing | undefined;
}

/** In seconds. The first three are the server's to say; set them only to have them differ. */
export interface Timing {
  heartbeatSeconds?: number;
  reportSeconds?: number;
  /** How long a poll is held open; 1 to 60. */
  pollWaitSeconds?: number;
  /** Between tries while the server turns the agent away; default 30. */
  refusedRetrySeconds?: number;
  /** Bounds of the waits between tries while the server is away; default 0.5 and 30. */
  backoffMinSeconds?: number;
  backoffMaxSeconds?: number;
  /** How long `stop` tries to send the last results; default 5. The rest goes at the next start. */
  flushSeconds?: number;
}

export interface Settings {
  stateDir: string;
  server: string;
  ca: string | undefined;
  agent: AgentDescription;
  registrationToken: AgentOptions["registrationToken"];
  /** Null: the file in the state folder. */
  tokenStore: TokenStore | null;
  concurrency: number;
  timing: Timing;
  refusedRetryMs: number;
  backoff: { minMs: number; maxMs: number };
  flushMs: number;
}

/** Throws AgentError OPTIONS_INVALID with a sentence that names the option. */
export function settingsOf(options: AgentOptions): Settings {
  const { concurrency = 4, timing = {} } = options;
  const { refusedRetrySeconds = 30, flushSeconds = 5 } = timing;
  const { backoffMinSeconds = 0.5, backoffMaxSeconds = 30 } = timing;
  if (typeof options.stateDir !== "string" || options.stateDir === "") {
    throw invalid("stateDir must name a folder");
  }
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) {
    throw invalid("concurrency must be a whole number from 1 to 64");
  }
  checkTiming(timing);
  checkAgent(options.agent);
  return {
    stateDir: options.stateDir,
    server: checkedServer(options.server),
    ca: checkedCa(options.ca),
    agent: { runtime: ownRuntime(), ...options.agent },
    registrationToken: options.registrationToken,
    tokenStore: options.tokenStore ?? null,
    concurrency,
    timing,
    refusedRetryMs: refusedRetrySeconds * 1000,
    backoff: { minMs: backoffMinSeconds * 1000, maxMs: backoffMaxSeconds * 1000 },
    flushMs: flushSeconds * 1000,
  };
}

function checkedServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "") {
    return server.replace(/\/+$/, "");
  }
  throw invalid("server must be a URL like https://agents.example.com");
}

function checkedCa(ca: string | undefined): string | undefined {
  const problem = ca === undefined ? null : problemOfCa(ca);
  if (problem) throw invalid(`ca ${problem}`);
  return ca;
}

function checkAgent(agent: AgentDescription): void {
  const checked = routes["agent.register"].body.shape.agent.safeParse(agent);
  if (!checked.success) throw invalid(firstIssue(checked.error.issues));
}

function checkTiming(timing: Timing): void {
  for (const [name, seconds] of Object.entries(timing)) {
    if (seconds !== undefined && !(seconds > 0)) throw invalid(`timing.${name} must be over 0`);
  }
  const { pollWaitSeconds: wait = 1 } = timing;
  if (!Number.isInteger(wait) || wait < 1 || wait > 60) {
    throw invalid("timing.pollWaitSeconds must be a whole number from 1 to 60");
  }
}

function firstIssue(issues: { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  const path = ["agent", ...(issue?.path ?? [])].join(".");
  return `${path}: ${issue?.message ?? "is not valid"}`;
}

function ownRuntime() {
  return { name: "node", version: process.versions.node, platform: process.platform };
}

function invalid(what: string): AgentError {
  return new AgentError("OPTIONS_INVALID", `The agent cannot be made: ${what}.`);
}
