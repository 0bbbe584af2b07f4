// An agent, and an operator who sends it commands on a separate connection.

import { Connection } from "./connection.ts";
import { type Agent, executionPath, executionRequest } from "./fixtures.ts";
import { type Pace, paced } from "./paced.ts";
import { PollingAgent, successful } from "./polling-agent.ts";
import { encodeRequest } from "./requests.ts";

/** Values of `performance.now()`. */
export interface Trip {
  createdAt: number;
  deliveredAt: number;
  finishedAt: number;
}

export class AgentLink {
  readonly #agent: PollingAgent;
  readonly #operator: Connection;
  readonly #create: Buffer;
  /** Keyed by command id. An earlier benchmark may have left other commands behind. */
  readonly #deliveries = new Map<string, PromiseWithResolvers<number>>();
  #failure: unknown = null;

  /** Links can share `buffer`. In a cluster, the operator can use another node. */
  static async open(
    port: number,
    { token, serviceId }: Agent,
    operatorKey: string,
    buffer: Buffer,
    operatorPort: number = port,
  ): Promise<AgentLink> {
    const path = executionPath(serviceId);
    const create = { method: "POST", path, token: operatorKey, body: executionRequest } as const;
    return new AgentLink(
      await PollingAgent.open(port, token, buffer),
      await Connection.open(operatorPort, buffer),
      encodeRequest(operatorPort, create),
    );
  }

  private constructor(agent: PollingAgent, operator: Connection, create: Buffer) {
    this.#agent = agent;
    this.#operator = operator;
    this.#create = create;
    const polling = agent.poll((id, at) => this.#deliveryOf(id).resolve(at));
    polling.catch((error) => {
      this.#failure = error;
      for (const delivery of this.#deliveries.values()) delivery.reject(error);
    });
  }

  /**
   * Creates a command. Resolves when the agent's result is confirmed. Trips must not overlap.
   */
  async trip(): Promise<Trip> {
    const created = successful(await this.#operator.ask(this.#create));
    const { id } = JSON.parse(created.body).data.command;
    const deliveredAt = await this.#deliveryOf(id).promise;
    this.#deliveries.delete(id);
    return { createdAt: created.at, deliveredAt, finishedAt: await this.#agent.report(id) };
  }

  close(): void {
    this.#agent.close();
    this.#operator.destroy();
  }

  #deliveryOf(id: string): PromiseWithResolvers<number> {
    if (this.#failure) throw this.#failure;
    const delivery = this.#deliveries.get(id) ?? Promise.withResolvers<number>();
    this.#deliveries.set(id, delivery);
    return delivery;
  }
}

/** Returns how long after the start of each trip its command was created and delivered, in ms. */
export async function pacedTrips(links: AgentLink[], pace: Pace, signal: AbortSignal) {
  const created: number[] = [];
  const delivered: number[] = [];
  const trip = async (link: AgentLink, from: number) => {
    const { createdAt, deliveredAt } = await link.trip();
    created.push(createdAt - from);
    delivered.push(deliveredAt - from);
  };
  await paced(links, pace, trip, signal);
  return { created, delivered };
}

/** Opens the links one after the other, so that no connection has to be refused. */
export async function openLinks(
  port: number,
  agents: Agent[],
  operatorKey: string,
): Promise<AgentLink[]> {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  const links: AgentLink[] = [];
  for (const agent of agents) links.push(await AgentLink.open(port, agent, operatorKey, buffer));
  return links;
}
