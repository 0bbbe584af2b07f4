// Runs a real server to attack, and measures its memory, its CPU time, and an honest agent.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createKey, createToken } from "../helpers/process/operator.ts";
import {
  type RemoteAgent,
  registerAgent,
  type Server,
  type ServerOptions,
  send,
  startServer,
} from "../helpers/process/process.ts";

export const MiB = 1024 * 1024;
/** Suppresses Node's warning that it strips types. */
const quiet = ["--disable-warning=ExperimentalWarning"];

export interface Victim extends Server {
  port: number;
  agent: RemoteAgent;
  /** Returns how much of each limit is in use, and how often it was reached. */
  limits(): Promise<Limits>;
  /** Returns the resident memory in bytes. */
  rssBytes(): number;
  /** Returns the CPU time so far in milliseconds. */
  cpuMs(): number;
}

export interface Limits {
  inUse: Record<
    "connections" | "pendingBodyBytes" | "pendingOutputBytes",
    { used: number; allowed: number }
  >;
  reached: Record<string, number>;
}

/** Starts a server with one agent. `stderr()` returns the server's log. */
export async function startVictim(options: ServerOptions = {}): Promise<Victim> {
  const server = await startServer(options);
  let viewerKey: string | null = null;
  return {
    ...server,
    port: Number(new URL(server.url).port),
    agent: await registerAgent(server.url, await createToken(server), "honest"),
    async limits() {
      viewerKey ??= await createKey(server, "viewer");
      const path = "/api/admin/diagnostics";
      return (await send(server.url, "GET", path, { bearer: viewerKey })).body.data.limits;
    },
    rssBytes: () => rssBytes(server.pid),
    cpuMs: () => cpuMs(server.pid).own,
  };
}

function rssBytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory: it has ended`);
  return Number(kilobytes) * 1024;
}

/**
 * Returns the CPU time of a process and that of its ended children, in milliseconds. A clock tick
 * in Linux is 10 ms.
 */
export function cpuMs(pid: number): { own: number; children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system, childrenUser, childrenSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15);
  const msOf = (ticks: string | undefined, more: string | undefined) =>
    (Number(ticks) + Number(more)) * 10;
  return { own: msOf(user, system), children: msOf(childrenUser, childrenSystem) };
}

export interface Heartbeats {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** The number of responses with each status other than 200, and of each connection error. */
  failures: Record<string, number>;
}

/** Uses another process, so that the attack does not delay the heartbeats. */
export async function heartbeatsDuring(
  { url, agent }: Victim,
  attack: () => Promise<unknown>,
): Promise<Heartbeats> {
  const program = join(import.meta.dirname, "heartbeat-meter.ts");
  const child = spawn(process.execPath, [...quiet, program, url, agent.agentToken], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(child.stdout, "data");
  try {
    await attack();
  } finally {
    child.stdin.end();
    await once(child, "close");
  }
  const { took, failures } = JSON.parse(text.slice(text.indexOf("{")));
  return { ...summary(took), failures };
}

function summary(took: number[]): Omit<Heartbeats, "failures"> {
  const sorted = took.toSorted((a, b) => a - b);
  const rank = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
  return { count: sorted.length, p50Ms: rank(0.5), p99Ms: rank(0.99), maxMs: rank(1) };
}

/** Returns the largest result of `look` while `work` runs, checked every 50 ms and at the end. */
export async function peakDuring(
  look: () => number,
  work: () => Promise<unknown>,
): Promise<number> {
  let peak = look();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      await sleep(50);
      peak = Math.max(peak, look());
    }
  })();
  try {
    await work();
  } finally {
    ended = true;
    await watching;
  }
  return peak;
}
