// The process behind `platform bench-load`. It simulates agents until its parent stops it or ends.

import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { type Client, createClient } from "../../../../client/client.ts";
import { trustOf } from "../../../../client/dispatcher.ts";
import { httpTransport } from "../../../../client/transport-http.ts";
import { descriptorLimit } from "../../../../lib/files/descriptor-limit.ts";
import { Slots } from "../../../../lib/slots.ts";
import { Tally } from "../stats/tally.ts";
import { type AgentTools, BenchAgent } from "./bench-agent.ts";
import { sharedConnections } from "./connections.ts";
import { isPassing, kindOf } from "./exchange.ts";
import type { FromLoad, LoadPlan, ToLoad } from "./messages.ts";
import { agentCode, tokenName } from "./names.ts";
import { Operator } from "./operator.ts";
import { atRate } from "./steady.ts";

const tallyMs = 250;
/** How many agents register, or stop, at the same time. */
const atOnce = 16;
/** How long to wait at the end for open actions. */
const lastActionsMs = 5_000;
/** How long to wait until all agents have reported that they stop. */
const lastReportsMs = 30_000;
const tokenSeconds = 3600;
const backoff = { minMs: 500, maxMs: 5_000 };

export async function runLoadProcess(): Promise<void> {
  if (!process.send) throw new Error("platform bench starts this command");
  let load: Load | null = null;
  process.on("message", (message: ToLoad) => {
    if (message.kind === "register") {
      load = new Load(message.plan);
      load.start();
    } else if (message.kind === "work") load?.work();
    else void stop(load);
  });
  send({ kind: "ready", descriptors: descriptorLimit() });
  await new Promise((resolve) => process.once("disconnect", resolve));
  // The agents' timers and connections would keep the process running.
  process.exit(0);
}

async function stop(load: Load | null): Promise<void> {
  await load?.stop();
  send({ kind: "stopped" });
}

/** Ignores a failure to send, because the parent has then ended. */
function send(message: FromLoad): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

class Load {
  readonly #plan: LoadPlan;
  readonly #tally = new Tally();
  readonly #client: Client;
  readonly #agents: BenchAgent[] = [];
  readonly #stopping = new AbortController();
  readonly #report = this.#reporter();
  #registering: Promise<void> = Promise.resolve();
  #operator: Operator | null = null;
  #endWork = (): void => undefined;
  #retryDelayMs: AgentTools["retryDelayMs"] = () => backoff.maxMs;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    const { place } = plan;
    this.#client = createClient(httpTransport({ ...place, userAgent: "platform-bench" }));
    setInterval(this.#report, tallyMs);
  }

  start(): void {
    this.#registering = this.#register().catch((error: Error) =>
      send({ kind: "failed", message: error.message }),
    );
  }

  async #register(): Promise<void> {
    const { retryMs } = await import("../../../../agent/connection/backoff.ts");
    this.#retryDelayMs = (error, attempt) => retryMs(error, attempt, backoff);
    const tools = await this.#openTools();
    const { agents, from, tokensPerSecond, run } = this.#plan;
    const startedAt = performance.now();
    const addOne = async (index: number) => {
      if (tokensPerSecond !== null) {
        await this.#pause(startedAt + (index * 1000) / tokensPerSecond - performance.now());
      }
      const agent = new BenchAgent(agentCode(run, from + index), tools);
      await this.#registerOne(agent);
      if (this.#isStopping) return;
      this.#agents.push(agent);
      agent.start();
    };
    const slots = new Slots(atOnce);
    await Promise.all(Array.from({ length: agents }, (_, i) => slots.run(() => addOne(i))));
  }

  work(): void {
    const { actionsPerSecond, eventsPerSecond } = this.#plan;
    const operator = new Operator(this.#client, this.#agents, this.#tally);
    this.#operator = operator;
    const endActions = atRate(actionsPerSecond, () => operator.runAction());
    const endEvents = atRate(eventsPerSecond, () => operator.publishEvent());
    this.#endWork = () => {
      endActions();
      endEvents();
    };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endWork();
    const ended = Promise.all([this.#registering, this.#operator?.end()]);
    await Promise.race([ended, pause(lastActionsMs)]);
    this.#report();
    const slots = new Slots(atOnce);
    const stopping = this.#agents.map((agent) => slots.run(() => agent.stop()));
    await Promise.race([Promise.all(stopping), pause(lastReportsMs)]);
  }

  /** After a failure, tries again with a new token, because the first may be used up. */
  async #registerOne(agent: BenchAgent): Promise<void> {
    for (let attempt = 1; !this.#isStopping; attempt++) {
      try {
        const { token } = await this.#client.call("registration-tokens.create", {
          body: {
            name: tokenName(this.#plan.run),
            agentCode: agent.code,
            expiresInSeconds: tokenSeconds,
            replace: attempt > 1,
          },
        });
        return await agent.register(token);
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#tally.failed(kindOf(error));
        await this.#pause(this.#retryDelayMs(error, attempt));
      }
    }
  }

  async #openTools(): Promise<AgentTools> {
    const { Client: Connection, Pool } = await import("undici");
    const { place } = this.#plan;
    const { origin, pathname } = new URL(place.url);
    const connect = { timeout: 10_000, ...trustOf({ ca: place.ca }) };
    const pool: Dispatcher = new Pool(origin, { connections: sharedConnections, connect });
    return {
      basePath: pathname.replace(/\/+$/, ""),
      pool,
      openConnection: () => new Connection(origin, { connect }),
      tally: this.#tally,
      retryDelayMs: this.#retryDelayMs,
      random: Math.random,
    };
  }

  /** Returns a function that sends what was counted since its last call. */
  #reporter(): () => void {
    let before = performance.eventLoopUtilization();
    return () => {
      const now = performance.eventLoopUtilization();
      const busy = performance.eventLoopUtilization(now, before).utilization;
      before = now;
      const { user, system } = process.cpuUsage();
      send({
        kind: "tally",
        tally: this.#tally.take(),
        state: {
          registered: this.#agents.length,
          held: this.#agents.filter((agent) => agent.isHeld).length,
          busy,
          residentBytes: process.memoryUsage.rss(),
          cpuSeconds: (user + system) / 1e6,
        },
      });
    };
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
