// Agents and operators that work through the balancer, repeat calls that were not acknowledged, and
// record the acknowledged ones in the ledger.

import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "../../helpers/lifetime.ts";
import { type Answer, type RequestOptions, send, until } from "../../helpers/process/process.ts";
import type { TestCluster } from "./cluster.ts";
import { Ledger } from "./ledger.ts";

/** `npm run test:faults` works as fast as it can. `npm test` leaves CPU time to other tests. */
const isFast = Number(process.env.FAULT_ROUNDS ?? 0) > 0;
const pollWaitSeconds = isFast ? 2 : 1;
/** The pause of each operator between two pieces of work, in ms. */
const operatorsPauseMs = isFast ? 0 : 200;
/**
 * The minimum pauses of each agent in ms: between heartbeats, between events, and before it repeats
 * a call.
 */
const pausesMs = isFast
  ? { beat: 200, publish: 100, retry: 50 }
  : { beat: 500, publish: 400, retry: 100 };
/**
 * Each pause is also at least this many ms per agent, because all agents and nodes share the
 * processors.
 */
const pausesPerAgentMs = { beat: 10, publish: 5, retry: 2.5 };
/** Long enough for a node that is stopped for a while. */
const timeoutMs = 40_000;

export class Load {
  readonly ledger = new Ledger();
  readonly #cluster: TestCluster;
  readonly #agents: Agent[] = [];
  readonly #operators: Promise<void>[] = [];
  #pauses: Pauses = pausesMs;
  #isDraining = false;
  /** Ends the load of a failed test, which would slow down the next test. */
  #isOver = false;
  #count = 0;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
    atEnd(() => {
      this.#isOver = true;
    });
  }

  async start(agents: number): Promise<void> {
    const pause = (name: keyof Pauses) => Math.max(pausesMs[name], agents * pausesPerAgentMs[name]);
    this.#pauses = { beat: pause("beat"), publish: pause("publish"), retry: pause("retry") };
    while (this.#agents.length < agents) await this.#addAgent();
    this.#operators.push(
      this.#keep(() => this.#runAction()),
      this.#keep(() => this.#runAction()),
      this.#keep(() => this.#revoke()),
    );
  }

  get longestPauseMs(): number {
    return Math.max(...Object.values(this.#pauses));
  }

  /**
   * Waits until each agent has begun and completed a heartbeat and a poll. Returns the time in ms.
   */
  async allAreBack(after: string): Promise<number> {
    const from = performance.now();
    await until(
      `every agent is back after: ${after}`,
      () => this.#agents.every((agent) => Math.min(agent.beatFrom, agent.pollFrom) >= from),
      30_000,
    );
    return performance.now() - from;
  }

  /** Resolves when this many further writes have been acknowledged. */
  async more(count: number): Promise<void> {
    const enough = this.ledger.size + count;
    await until(`${count} more acknowledged writes`, () => this.ledger.size >= enough);
  }

  /** When every command has ended, stops the operators and then the agents. */
  async stop(): Promise<void> {
    this.#isDraining = true;
    await Promise.all(this.#operators);
    const open = "SELECT COUNT(*) FROM commands WHERE completed_at IS NULL";
    await until("every command has ended", async () => {
      const [[count]] = (await this.#cluster.rows(open)) as [[string]];
      return count === "0";
    });
    await Promise.all(this.#agents.map((agent) => agent.stop()));
  }

  async #keep(work: () => Promise<void>): Promise<void> {
    while (!this.#isDraining) {
      await work();
      await sleep(operatorsPauseMs);
    }
  }

  /**
   * Repeats a call until it is answered. Records responses with an unexpected status. Never settles
   * after the test has ended.
   */
  async settled(
    method: string,
    path: string,
    options: RequestOptions,
    ...expected: (number | string)[]
  ): Promise<SettledAnswer> {
    for (let attempts = 1; ; attempts++) {
      const answer = await this.tried(this.#cluster.url, method, path, options);
      if (this.#isOver) await new Promise(() => undefined);
      if (!answer) {
        await sleep(this.#pauses.retry);
        continue;
      }
      if (!expected.includes(answer.status) && !expected.includes(answer.body?.error?.code)) {
        this.ledger.strange.push({ method, path, status: answer.status, body: answer.body });
      }
      return { ...answer, attempts };
    }
  }

  /** Returns null if there is no answer, or if the server could not do the work. */
  async tried(url: string, method: string, path: string, options: RequestOptions) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await send(url, method, path, { ...options, signal }).catch(codeOf);
    if (typeof answer !== "string" && answer.status !== 503) return answer;
    const { failures } = this.ledger;
    const reason = typeof answer === "string" ? answer : unavailable(answer);
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
    return null;
  }

  #asOperator(method: string, path: string, body: unknown, ...expected: (number | string)[]) {
    // With an idempotency key, a repeated call returns the first response.
    const headers = { "idempotency-key": `key-${++this.#count}` };
    const options = { bearer: this.#cluster.key, body, headers };
    return this.settled(method, `/api/admin${path}`, options, ...expected);
  }

  /** Returns null if the response was lost, because the token may then have been used. */
  async #register(code: string, services: unknown[]) {
    // PostgreSQL empties the table of one-time secrets when it restarts after a crash.
    const gone = "IDEMPOTENCY_SECRET_GONE";
    const { body } = await this.#asOperator("POST", "/registration-tokens", {}, 201, gone);
    const registrationToken = body.data?.token;
    if (!registrationToken) return null;
    const agent = { code, mode: "sidecar" };
    const answer = await this.tried(this.#cluster.url, "POST", "/api/agents/register", {
      body: { registrationToken, agent, services },
    });
    if (answer?.status !== 201) {
      if (answer) this.ledger.strange.push({ register: code, body: answer.body });
      return null;
    }
    const { agentId, agentToken } = answer.body.data as Record<"agentId" | "agentToken", string>;
    this.ledger.registrations.set(agentId, agentToken);
    return { agentId, agentToken };
  }

  async #addAgent(): Promise<void> {
    const code = `agent-${this.#agents.length + 1}`;
    const actions = [{ name: "go", prepare: false, timeoutSeconds: 20 }];
    const services = [{ code, name: code, version: "1", healthStatus: "UP", actions }];
    let registered = await this.#register(code, services);
    // If the response was lost, the agent registers again with another token.
    while (!registered) {
      const [wrong] = this.ledger.strange;
      if (wrong) throw new Error(`${code} is not registered: ${JSON.stringify(wrong)}`);
      registered = await this.#register(code, services);
    }
    const path = `/api/admin/capsule-services?q=${code}`;
    const { body } = await this.settled("GET", path, { bearer: this.#cluster.key }, 200);
    const found = body.data.find((service: { code: string }) => service.code === code);
    const { agentId: id, agentToken: token } = registered;
    this.#agents.push(new Agent(this, { code, id, token, serviceId: found.id }, this.#pauses));
  }

  /** Every fifth command is cancelled, before or after its delivery. */
  async #runAction(): Promise<void> {
    const number = ++this.#count;
    const agent = this.#agents[number % this.#agents.length] as Agent;
    const key = `run-${number}`;
    const path = `/capsule-services/${agent.serviceId}/actions/go`;
    const { body } = await this.#asOperator("POST", path, { payload: { key } }, 202);
    const id = body.data?.command.id as string | undefined;
    if (id === undefined) return;
    this.ledger.commands.set(id, key);
    if (number % 5 > 0) return;
    const ended = "COMMAND_ALREADY_COMPLETED";
    const cancelled = await this.#asOperator("POST", `/commands/${id}/cancel`, {}, 200, ended);
    if (cancelled.status === 200) this.ledger.cancellations.add(id);
    else if (cancelled.attempts === 1) this.ledger.refusedCancellations.add(id);
  }

  /** Revokes a new agent's token, then uses it at every node. */
  async #revoke(): Promise<void> {
    const registered = await this.#register(`guest-${++this.#count}`, []);
    if (!registered) return;
    const { agentId, agentToken } = registered;
    const beat = (url: string) =>
      this.tried(url, "POST", "/api/agents/heartbeat", { bearer: agentToken, body: {} });
    const before = await beat(this.#cluster.url);
    if (before && before.status !== 200) this.ledger.strange.push({ before: before.body });
    await this.#asOperator("POST", `/agents/${agentId}/revoke-token`, {}, 200);
    this.ledger.revoked.add(agentToken);
    const answers = await Promise.all(this.#cluster.nodes.map(({ url }) => beat(url)));
    for (const [node, answer] of answers.entries()) {
      if (answer && answer.status !== 401) this.ledger.strange.push({ revoked: agentId, node });
    }
  }
}

interface SettledAnswer extends Answer {
  attempts: number;
}

/** Returns the code of the error that ended a connection, such as ECONNRESET. */
function codeOf({ name, cause }: Error): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}

function unavailable({ headers, body }: Answer): string {
  const isRetryable = headers.has("retry-after");
  return isRetryable ? "503" : `503 without Retry-After (${body?.error?.message})`;
}

type Pauses = Readonly<typeof pausesMs>;

interface Identity {
  code: string;
  id: string;
  token: string;
  serviceId: string;
}

class Agent {
  readonly serviceId: string;
  /** When the last successful heartbeat and poll began, by performance.now(). */
  beatFrom = 0;
  pollFrom = 0;
  readonly #load: Load;
  readonly #code: string;
  readonly #id: string;
  readonly #token: string;
  readonly #pauses: Pauses;
  readonly #held = new Map<string, Promise<void>>();
  readonly #running: Promise<void>[];
  #isStopped = false;

  constructor(load: Load, { code, id, token, serviceId }: Identity, pauses: Pauses) {
    this.#load = load;
    this.#pauses = pauses;
    this.#code = code;
    this.#id = id;
    this.#token = token;
    this.serviceId = serviceId;
    this.#running = [this.#beat(), this.#poll(), this.#publish()];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#running, ...this.#held.values()]);
  }

  #call(method: string, path: string, body: unknown, ...expected: (number | string)[]) {
    const options = { bearer: this.#token, ...(body === undefined ? {} : { body }) };
    return this.#load.settled(method, `/api/agents${path}`, options, ...expected);
  }

  async #beat(): Promise<void> {
    while (!this.#isStopped) {
      const from = performance.now();
      await this.#call("POST", "/heartbeat", {}, 200);
      this.#load.ledger.heartbeats++;
      this.beatFrom = from;
      await sleep(this.#pauses.beat);
    }
  }

  async #poll(): Promise<void> {
    const { received } = this.#load.ledger;
    while (!this.#isStopped) {
      const from = performance.now();
      const held = [...this.#held.keys()].join();
      const path = `/commands?wait=${pollWaitSeconds}&held=${held}`;
      const { body } = await this.#call("GET", path, undefined, 200);
      this.pollFrom = from;
      for (const { id } of body.data?.commands ?? []) {
        received.set(id, (received.get(id) ?? 0) + 1);
        this.#held.set(
          id,
          this.#execute(id).finally(() => this.#held.delete(id)),
        );
      }
    }
  }

  async #execute(id: string): Promise<void> {
    await sleep(Math.random() * 40);
    const output = `done by ${this.#code}`;
    const ended = "COMMAND_ALREADY_COMPLETED";
    const result = { success: true, output };
    const answer = await this.#call("POST", `/commands/${id}/result`, result, 200, ended);
    const { status, body, attempts } = answer;
    if (status !== 200) return;
    const { ledger } = this.#load;
    ledger.results.set(id, { status: body.data.status, output });
    if (attempts === 1 && body.data.duplicate) ledger.strange.push({ takenTwice: id });
  }

  async #publish(): Promise<void> {
    for (let count = 1; !this.#isStopped; count++) {
      const id = `${this.#code}-${count}`;
      const event = { type: "work.done", source: this.#code, id, data: { count } };
      const path = `/${this.#id}/bus/events`;
      const { status, attempts } = await this.#call("POST", path, event, 200, 201);
      const { ledger } = this.#load;
      ledger.events.add(id);
      // The server responds with 200 if it already has the event.
      if (attempts === 1 && status === 200) ledger.strange.push({ takenTwice: id });
      await sleep(this.#pauses.publish);
    }
  }
}
