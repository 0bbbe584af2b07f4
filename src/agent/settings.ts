import { randomUUID } from "node:crypto";
import { agentEndpoints } from "../api/agent-endpoints.ts";
import { withIssueWords } from "../api/contract/issue-words.ts";
import { problemOfCa } from "../client/ca.ts";
import type { Way } from "../client/dispatcher.ts";
import { type Environment, problemOfProxy, proxyFromEnvironment } from "../client/proxy.ts";
import { hasMoreThanPlace } from "../lib/server-url.ts";
import { AgentError } from "./connection/errors.ts";
import type { AgentDescription, AgentOptions, Timing } from "./options.ts";

/** Timers treat times of more than 24.8 days as 1 ms. */
export const longestSeconds = 24 * 60 * 60;

export type Settings = ReturnType<typeof settingsOf>;

/** Throws AgentError OPTIONS_INVALID, whose message names the option. */
export function settingsOf(options: AgentOptions) {
  const problem = problemOfNode(process.versions.node);
  if (problem) throw invalid(problem);
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
  const { runtime = ownRuntime(), ...described } = checkedAgent(options.agent);
  const agent: AgentDescription = { ...described, runtime };
  return {
    /** Different at every start, so that the server can tell two running programs apart. */
    instance: randomUUID(),
    stateDir: options.stateDir,
    server: checkedServer(options.server),
    way: wayOf(options),
    agent,
    registrationToken: options.registrationToken,
    /** If this is null, the token is in a file in the state folder. */
    tokenStore: options.tokenStore ?? null,
    concurrency,
    completeReports: options.completeReports === true,
    timing,
    refusedRetryMs: refusedRetrySeconds * 1000,
    backoff: { minMs: backoffMinSeconds * 1000, maxMs: backoffMaxSeconds * 1000 },
    flushMs: flushSeconds * 1000,
  };
}

/**
 * The oldest Node that undici supports. On older ones, the first call fails with a misleading
 * error.
 */
const oldestNode = [22, 19] as const;

export function problemOfNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `it needs Node ${oldestNode.join(".")} or newer, but this is Node ${version}`;
}

function checkedServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw invalid("server must be a URL like https://agents.example.com");
  }
  if (hasMoreThanPlace(server)) throw invalid("server must not contain a user name, ? or #");
  return server.replace(/\/+$/, "");
}

function wayOf({ server, ca, proxy, env = process.env, insecureSkipTlsVerify }: AgentOptions): Way {
  const problem = ca === undefined ? null : problemOfCa(ca);
  if (problem) throw invalid(`ca ${problem}`);
  if (ca !== undefined && insecureSkipTlsVerify) {
    throw invalid("insecureSkipTlsVerify makes ca useless: set only one of them");
  }
  return { ca, insecureSkipTlsVerify, proxy: proxyOf(server, proxy, env) };
}

function proxyOf(server: string, proxy: string | undefined, env: Environment): string | undefined {
  const given =
    proxy === undefined ? proxyFromEnvironment(server, env) : { text: proxy, variable: "proxy" };
  if (given === null) return undefined;
  const problem = problemOfProxy(given.text);
  if (problem) throw invalid(`${given.variable} ${problem}`);
  return given.text;
}

/** Throws AgentError OPTIONS_INVALID if the server would refuse the description. */
export function checkedAgent(agent: AgentDescription): AgentDescription {
  const checked = agentEndpoints["agent.register"].body.shape.agent.safeParse(
    agent,
    withIssueWords,
  );
  if (!checked.success) throw invalid(firstIssue(checked.error.issues));
  return agent;
}

function checkTiming(timing: Timing): void {
  for (const [name, seconds] of Object.entries(timing)) {
    if (seconds !== undefined && !(seconds > 0 && seconds <= longestSeconds)) {
      throw invalid(`timing.${name} must be greater than 0, and at most ${longestSeconds} (a day)`);
    }
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
  return new AgentError("OPTIONS_INVALID", `Cannot create the agent: ${what}.`);
}
