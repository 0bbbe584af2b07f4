// A simulated agent: it reports a service, sends heartbeats, always has a long poll open, and
// reports results. The long poll has a connection of its own; the short calls share a pool.

import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Tally } from "../stats/tally.ts";
import { exchange, isPassing, kindOf } from "./exchange.ts";
import { benchLabel, reportedService } from "./names.ts";

/** Resources that all agents of a process share. */
export interface AgentTools {
  /** The path of the server's URL. */
  basePath: string;
  /** For short calls. */
  pool: Dispatcher;
  /** Opens a connection for the long polls of one agent. */
  openConnection: () => Dispatcher;
  tally: Tally;
  /** Returns how long to wait after the nth failure in a row. */
  retryDelayMs: (error: unknown, attempt: number) => number;
  random: () => number;
}

interface Registered {
  agentId: string;
  agentToken: string;
  heartbeatIntervalSeconds: number;
  reportIntervalSeconds: number;
  pollWaitSeconds: number;
}

interface PolledCommand {
  id: string;
  type: "ACTION_PREPARE" | "ACTION_EXECUTE";
  action: string;
}

/** Longer than the server takes to respond to anything that does not wait. */
const callMs = 30_000;

export class BenchAgent {
  readonly code: string;
  readonly #tools: AgentTools;
  readonly #stopping = new AbortController();
  readonly #running = new Set<string>();
  #me: Registered | null = null;
  #headers: Record<string, string> = {};
  #connection: Dispatcher | null = null;
  #isHeld = false;
  serviceId: string | null = null;
  /** Called on delivery of the command that the operator has just created; otherwise null. */
  onDelivery: (() => void) | null = null;

  constructor(code: string, tools: AgentTools) {
    this.code = code;
    this.#tools = tools;
  }

  /** Whether the server holds, or is about to hold, a long poll of this agent. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  async register(registrationToken: string): Promise<void> {
    const labels = { [benchLabel.key]: benchLabel.value };
    const agent = { code: this.code, mode: "bench", labels };
    const body = { registrationToken, agent };
    this.#me = await this.#call<Registered>("/api/agents/register", body);
    this.#headers = { authorization: `Bearer ${this.#me.agentToken}` };
  }

  /** Requires that the agent is registered. */
  start(): void {
    const { heartbeatIntervalSeconds, reportIntervalSeconds } = this.#registered();
    this.#connection = this.#tools.openConnection();
    void this.#pollForever();
    // The first heartbeat comes at a random moment, which spreads the agents' heartbeats over time.
    void this.#forever(heartbeatIntervalSeconds * 1000, () => this.#beat());
    void this.#reportForever(reportIntervalSeconds * 1000);
  }

  async publish(id: string): Promise<void> {
    const { agentId } = this.#registered();
    const event = { specversion: "1.0", type: "bench.tick", source: this.code, id, data: {} };
    const path = `/api/agents/${agentId}/bus/events`;
    const started = performance.now();
    await this.#call(path, event, "application/cloudevents+json");
    this.#tools.tally.latencies.event.record(performance.now() - started);
    this.#tools.tally.count("events");
  }

  /** Ends the long poll and reports the agent OFFLINE. Never rejects. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#connection?.destroy().catch(() => undefined);
    this.#isHeld = false;
    if (this.#me) await this.#call("/api/agents/offline", {}).catch(() => undefined);
  }

  async #pollForever(): Promise<void> {
    const { pollWaitSeconds } = this.#registered();
    const { tally } = this.#tools;
    let failures = 0;
    while (!this.#isStopping) {
      const started = performance.now();
      try {
        const commands = await this.#poll(pollWaitSeconds);
        failures = 0;
        tally.count("polls");
        if (commands.length === 0) {
          // A server that is stopping ends its polls early: the delay is negative.
          const delay = performance.now() - started - pollWaitSeconds * 1000;
          if (delay >= 0) tally.latencies.pollDelay.record(delay);
        }
        for (const command of commands) void this.#run(command);
      } catch (error) {
        this.#isHeld = false;
        if (this.#isStopping) return;
        tally.failed(kindOf(error));
        if (!isPassing(error)) return;
        await this.#pause(this.#tools.retryDelayMs(error, ++failures));
      }
    }
  }

  async #poll(waitSeconds: number): Promise<PolledCommand[]> {
    const held = [...this.#running].join(",");
    const { commands } = await exchange<{ commands: PolledCommand[] }>(
      this.#connection as Dispatcher,
      {
        method: "GET",
        path: `${this.#tools.basePath}/api/agents/commands?wait=${waitSeconds}&held=${held}`,
        headers: this.#headers,
        timeoutMs: waitSeconds * 1000 + callMs,
        onSent: () => {
          this.#isHeld = true;
        },
      },
    );
    return commands;
  }

  async #run({ id, type, action }: PolledCommand): Promise<void> {
    const { tally } = this.#tools;
    tally.count("deliveries");
    this.onDelivery?.();
    this.onDelivery = null;
    if (this.#running.has(id)) return;
    this.#running.add(id);
    const initialPayload = { level: "info" };
    const isPrepare = type === "ACTION_PREPARE";
    const output = isPrepare
      ? { inputSchema: reportedService.actions[0]?.inputSchema, initialPayload, currentState: {} }
      : { action };
    await this.#untilDone(async () => {
      await this.#call(`/api/agents/commands/${id}/result`, { success: true, output });
      tally.count("results");
    });
    this.#running.delete(id);
  }

  async #reportForever(everyMs: number): Promise<void> {
    const services = [{ code: this.code, ...reportedService }];
    const report = async () => {
      const reply = await this.#call<{ services: { id: string }[] }>("/api/agents/services", {
        services,
      });
      this.serviceId = reply.services[0]?.id ?? null;
      this.#tools.tally.count("reports");
    };
    await this.#untilDone(report);
    await this.#forever(everyMs, report);
  }

  async #beat(): Promise<void> {
    const started = performance.now();
    const health = [{ serviceCode: this.code, healthStatus: "HEALTHY" }];
    await this.#call("/api/agents/heartbeat", { health });
    this.#tools.tally.latencies.heartbeat.record(performance.now() - started);
    this.#tools.tally.count("heartbeats");
  }

  /** Does the work about once per interval, starting at a random moment in the first interval. */
  async #forever(everyMs: number, work: () => Promise<void>): Promise<void> {
    await this.#pause(this.#tools.random() * everyMs);
    while (!this.#isStopping) {
      await this.#untilDone(work);
      await this.#pause(everyMs * (0.9 + 0.2 * this.#tools.random()));
    }
  }

  /** Retries the work until it succeeds, or until an error shows that it cannot succeed. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; !this.#isStopping; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (this.#isStopping) return;
        this.#tools.tally.failed(kindOf(error));
        if (!isPassing(error)) return;
        await this.#pause(this.#tools.retryDelayMs(error, attempt));
      }
    }
  }

  #call<T>(path: string, body: object, type = "application/json"): Promise<T> {
    return exchange<T>(this.#tools.pool, {
      method: "POST",
      path: this.#tools.basePath + path,
      headers: { ...this.#headers, "content-type": type },
      body: JSON.stringify(body),
      timeoutMs: callMs,
    });
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #registered(): Registered {
    if (!this.#me) throw new Error(`${this.code} is not registered`);
    return this.#me;
  }
}
