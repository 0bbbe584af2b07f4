// The operator's part of the load: runs actions of a process's agents at a steady rate, and lets
// the agents publish events. Each agent has at most one open command.

import type { Client } from "../../../../client/client.ts";
import type { Tally } from "../stats/tally.ts";
import type { BenchAgent } from "./bench-agent.ts";
import { operatorCalls } from "./connections.ts";
import { kindOf } from "./exchange.ts";
import { actionNames } from "./names.ts";

/** Every tenth action is prepared first, as if an operator had opened its form. */
const preparedShare = 10;
const waitSeconds = 30;

export class Operator {
  readonly #client: Client;
  readonly #agents: readonly BenchAgent[];
  readonly #tally: Tally;
  readonly #busy = new Set<BenchAgent>();
  readonly #open = new Set<Promise<void>>();
  #next = 0;
  #started = 0;
  #isEnding = false;

  constructor(client: Client, agents: readonly BenchAgent[], tally: Tally) {
    this.#client = client;
    this.#agents = agents;
    this.#tally = tally;
  }

  /** Starts an action on an agent that is ready for one. */
  runAction(): void {
    if (this.#isEnding) return;
    const agent = this.#open.size < operatorCalls ? this.#nextAgent() : null;
    if (!agent) {
      this.#tally.failed("ACTION_SKIPPED");
      return;
    }
    this.#busy.add(agent);
    const running = this.#run(agent).finally(() => {
      this.#busy.delete(agent);
      this.#open.delete(running);
    });
    this.#open.add(running);
  }

  publishEvent(): void {
    if (this.#isEnding) return;
    const agent = this.#nextAgent();
    if (!agent) {
      this.#tally.failed("EVENT_SKIPPED");
      return;
    }
    const id = `${agent.code}-${++this.#started}`;
    void agent.publish(id).catch((error) => this.#tally.failed(kindOf(error)));
  }

  /** Starts no more actions, and waits for the open ones. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#open);
  }

  async #run(agent: BenchAgent): Promise<void> {
    const isPrepared = this.#started++ % preparedShare === 0;
    const action = isPrepared ? actionNames.prepared : actionNames.plain;
    const params = { serviceId: agent.serviceId ?? "", actionName: action };
    try {
      if (isPrepared) await this.#prepare(params);
      await this.#execute(agent, params);
    } catch (error) {
      this.#tally.failed(kindOf(error));
    } finally {
      agent.onDelivery = null;
    }
  }

  async #prepare(params: { serviceId: string; actionName: string }): Promise<void> {
    const started = performance.now();
    await this.#client.call("actions.prepare", { params });
    this.#tally.latencies.prepare.record(performance.now() - started);
    this.#tally.count("prepares");
  }

  async #execute(agent: BenchAgent, params: { serviceId: string; actionName: string }) {
    const { latencies } = this.#tally;
    const started = performance.now();
    agent.onDelivery = () => latencies.dispatch.record(performance.now() - started);
    this.#tally.count("actions");
    const body = { payload: params.actionName === actionNames.prepared ? { level: "info" } : {} };
    const { command } = await this.#client.call("actions.execute", { params, body });
    if (!command) {
      this.#tally.failed("APPROVAL_REQUIRED");
      return;
    }
    const { status } = await this.#client.call("commands.get", {
      params: { commandId: command.id },
      query: { wait: waitSeconds },
    });
    if (status !== "SUCCEEDED") {
      this.#tally.failed(`COMMAND_${status}`);
      return;
    }
    latencies.roundTrip.record(performance.now() - started);
    this.#tally.count("roundTrips");
  }

  /**
   * Returns the next agent that can run an action; null if there is none. The agents take turns.
   */
  #nextAgent(): BenchAgent | null {
    for (let tries = 0; tries < this.#agents.length; tries++) {
      const agent = this.#agents[this.#next++ % this.#agents.length];
      if (agent?.serviceId && agent.isHeld && !this.#busy.has(agent)) return agent;
    }
    return null;
  }
}
