// One agent with an operator who sends it commands, each on a connection of its own. The agent
// holds a poll all the time.

import { Connection, type Reply } from "./connection.ts";
import { type Agent, executionPath, executionRequest, heldSeconds, pollPath } from "./fixtures.ts";
import { encodeRequest } from "./requests.ts";

/** Values of `performance.now()`. */
export interface Trip {
  createdAt: number;
  deliveredAt: number;
  finishedAt: number;
}

const result = { success: true, output: { cleared: true, entries: 1204 } };

export class AgentLink {
  readonly #port: number;
  readonly #token: string;
  readonly #operator: Connection;
  readonly #polls: Connection;
  readonly #results: Connection;
  readonly #create: Buffer;
  /** By the ids of the commands. An earlier benchmark may have left commands behind. */
  readonly #deliveries = new Map<string, PromiseWithResolvers<number>>();
  #failure: unknown = null;

  /** Links can share `buffer`. In a cluster, the operator can use another node. */
  static async open(
    port: number,
    agent: Agent,
    operatorKey: string,
    buffer: Buffer,
    operatorPort: number = port,
  ): Promise<AgentLink> {
    const [operator, polls, results] = await Promise.all([
      Connection.open(operatorPort, buffer),
      Connection.open(port, buffer),
      Connection.open(port, buffer),
    ]);
    const connections = { operator, polls, results };
    return new AgentLink({ port, operatorPort }, agent, operatorKey, connections);
  }

  private constructor(
    { port, operatorPort }: { port: number; operatorPort: number },
    { token, serviceId }: Agent,
    operatorKey: string,
    connections: { operator: Connection; polls: Connection; results: Connection },
  ) {
    this.#port = port;
    this.#token = token;
    this.#operator = connections.operator;
    this.#polls = connections.polls;
    this.#results = connections.results;
    const path = executionPath(serviceId);
    const body = executionRequest;
    const create = { method: "POST", path, token: operatorKey, body } as const;
    this.#create = encodeRequest(operatorPort, create);
    void this.#poll();
  }

  /** Creates a command, and returns when the agent's result is confirmed. One trip at a time. */
  async trip(): Promise<Trip> {
    const created = successful(await this.#operator.ask(this.#create));
    const { id } = JSON.parse(created.body).data.command;
    const deliveredAt = await this.#deliveryOf(id).promise;
    this.#deliveries.delete(id);
    const path = `/api/agents/commands/${id}/result`;
    const request = { method: "POST", path, token: this.#token, body: result } as const;
    const finished = successful(await this.#results.ask(encodeRequest(this.#port, request)));
    return { createdAt: created.at, deliveredAt, finishedAt: finished.at };
  }

  close(): void {
    for (const connection of [this.#operator, this.#polls, this.#results]) connection.destroy();
  }

  /** Ends when the connection does. */
  async #poll(): Promise<void> {
    const poll = encodeRequest(this.#port, {
      method: "GET",
      path: pollPath(heldSeconds),
      token: this.#token,
    });
    try {
      for (;;) {
        const { body, at } = successful(await this.#polls.ask(poll));
        for (const { id } of JSON.parse(body).data.commands) this.#deliveryOf(id).resolve(at);
      }
    } catch (error) {
      this.#failure = error;
      for (const delivery of this.#deliveries.values()) delivery.reject(error);
    }
  }

  #deliveryOf(id: string): PromiseWithResolvers<number> {
    if (this.#failure) throw this.#failure;
    const delivery = this.#deliveries.get(id) ?? Promise.withResolvers<number>();
    this.#deliveries.set(id, delivery);
    return delivery;
  }
}

function successful(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`The server responded with status ${reply.status}:\n${reply.body}`);
}

/** Opens the links a few at a time, so that no connection has to be refused. */
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
