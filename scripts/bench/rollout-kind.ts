// Measures rollouts over many services whose agents answer at once: how long the creation takes, how
// many commands a second follow, and by how much the server's event loop is late meanwhile.

import { mkdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection.ts";
import { executionRequest, heldSeconds, pollPath, post } from "./fixtures.ts";
import { type KindOptions, loopReading } from "./fleet-kinds.ts";
import { connectionSettings } from "./held-agents.ts";
import { type FleetSize, fleetToken, insertLargeFleet, serviceCodeOf } from "./large-fleet.ts";
import { measureProcessors } from "./processors.ts";
import { type Measurement, type Reading, readingOf } from "./readings.ts";
import { encodeRequest } from "./requests.ts";
import { createKey, type ProbedSubject, patient, startProbedSubject } from "./subject.ts";

const servicesPerAgent = 10;
const parallels = [10, 1000];
const lookEveryMs = 100;

export interface RolloutOptions extends KindOptions {
  /** Tests use few. */
  services?: number;
}

export async function measureRollouts(options: RolloutOptions): Promise<Measurement> {
  const { folder, services = 5000, signal, progress } = options;
  mkdirSync(folder, { mode: 0o700 });
  const subject = await startProbedSubject(folder, signal, { ...patient, ...connectionSettings() });
  const agents: AnsweringAgent[] = [];
  try {
    const count = Math.ceil(services / servicesPerAgent);
    const size: FleetSize = { agents: count, services, servicesPerAgent, commands: 0, days: 1 };
    insertLargeFleet(subject.databaseFile, size);
    const key = await createKey(subject.databaseFile, "owner");
    const buffer = Buffer.allocUnsafeSlow(64 * 1024);
    for (let number = 0; number < count; number++) {
      agents.push(await AnsweringAgent.open(subject.port, fleetToken(number), buffer));
    }
    const codes = Array.from({ length: services }, (_, number) => serviceCodeOf(number));
    const run = (what: string, body: object) => {
      progress(`measuring: rollouts, ${what}`);
      return runRollout({ subject, key, signal }, what, services, {
        action: "clear-cache",
        ...executionRequest,
        waves: ["1", "10%"],
        ...body,
      });
    };
    const shares = measureProcessors(subject.pid, {});
    const readings: Reading[] = [];
    for (const maxParallel of parallels) {
      const what = `${maxParallel} at once`;
      readings.push(...(await run(what, { selector: "", maxParallel })));
    }
    readings.push(...(await run("named", { services: codes, maxParallel: 1000 })));
    return {
      name: "rollouts",
      notes: [
        `Three waves over ${services} services on ${count} agents, which answer at once. "named": the ` +
          "operator names each service, as a retry does.",
      ],
      readings,
      processors: shares(),
    };
  } finally {
    for (const agent of agents) agent.close();
    await subject.stop();
  }
}

interface Place {
  subject: ProbedSubject;
  key: string;
  signal: AbortSignal;
}

async function runRollout(
  { subject, key, signal }: Place,
  what: string,
  services: number,
  body: object,
): Promise<Reading[]> {
  const { port } = subject;
  await subject.probe("reset");
  const from = performance.now();
  const created = await post(port, "/api/admin/rollouts", key, body);
  const createdAt = performance.now();
  const { loop: whileCreated } = await subject.probe("read");
  await subject.probe("reset");
  for (let state = "RUNNING"; state !== "SUCCEEDED"; ) {
    if (state !== "RUNNING") throw new Error(`The rollout is ${state}.`);
    await sleep(lookEveryMs, undefined, { signal });
    state = await stateOf(port, key, created.id);
  }
  const perSecond = services / ((performance.now() - createdAt) / 1000);
  const { loop } = await subject.probe("read");
  const limit = { figure: "max", limit: 50 } as const;
  return [
    readingOf(`${what}: creation`, "ms", [createdAt - from], { figure: "max", limit: 2000 }),
    { ...loopReading(whileCreated, limit), work: `${what}: event loop late, creation` },
    readingOf(`${what}: commands`, "per second", [perSecond], null),
    { ...loopReading(loop, limit), work: `${what}: event loop late` },
  ];
}

async function stateOf(port: number, key: string, id: string): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/admin/rollouts/${id}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: { state: string } }).data.state;
}

/** Holds a poll all the time, and reports a result for each command as soon as it has it. */
class AnsweringAgent {
  readonly #port: number;
  readonly #token: string;
  readonly #connection: Connection;

  static async open(port: number, token: string, buffer: Buffer): Promise<AnsweringAgent> {
    return new AnsweringAgent(port, token, await Connection.open(port, buffer));
  }

  private constructor(port: number, token: string, connection: Connection) {
    this.#port = port;
    this.#token = token;
    this.#connection = connection;
    // Closing the connection ends the work. After a failure, the rollout would not end.
    this.#work().catch((error) => {
      if (!this.#isClosed) console.error(error);
    });
  }

  #isClosed = false;

  close(): void {
    this.#isClosed = true;
    this.#connection.destroy();
  }

  async #work(): Promise<void> {
    const poll = this.#encoded("GET", pollPath(heldSeconds));
    for (;;) {
      for (const { id } of JSON.parse(await this.#ask(poll)).data.commands) {
        const path = `/api/agents/commands/${id}/result`;
        await this.#ask(this.#encoded("POST", path, { success: true }));
      }
    }
  }

  #encoded(method: "GET" | "POST", path: string, body?: object): Buffer {
    const token = this.#token;
    return encodeRequest(this.#port, { method, path, token, ...(body ? { body } : {}) });
  }

  async #ask(request: Buffer): Promise<string> {
    const { status, body } = await this.#connection.ask(request);
    if (status >= 200 && status < 300) return body;
    throw new Error(`The server responded with status ${status}:\n${body}`);
  }
}
