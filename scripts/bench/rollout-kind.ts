// Measures rollouts over many services whose agents answer at once: how long the creation takes,
// how many commands a second follow, and how late the server's event loop is meanwhile.

import { mkdirSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { BodyInput } from "../../src/api/contract/route.ts";
import type { Routes } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { clientOf, executionRequest } from "./fixtures.ts";
import { type KindOptions, loopReading } from "./fleet-kinds.ts";
import { connectionSettings } from "./held-agents.ts";
import { type FleetSize, fleetToken, insertLargeFleet, serviceCodeOf } from "./large-fleet.ts";
import { PollingAgent } from "./polling-agent.ts";
import { measureProcessors } from "./processors.ts";
import { type Measurement, type Reading, readingOf } from "./readings.ts";
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
  const agents: PollingAgent[] = [];
  const failure = new AbortController();
  try {
    const count = Math.ceil(services / servicesPerAgent);
    const size: FleetSize = { agents: count, services, servicesPerAgent, commands: 0, days: 1 };
    insertLargeFleet(subject.databaseFile, size);
    const key = await createKey(subject.databaseFile, "owner");
    await using operator = clientOf(subject.port, key);
    const buffer = Buffer.allocUnsafeSlow(64 * 1024);
    for (let number = 0; number < count; number++) {
      const agent = await PollingAgent.open(subject.port, fleetToken(number), buffer);
      agents.push(agent);
      agent.poll((id) => agent.report(id)).catch((error) => failure.abort(error));
    }
    const codes = Array.from({ length: services }, (_, number) => serviceCodeOf(number));
    const run = (what: string, body: object) => {
      progress(`measuring: rollouts, ${what}`);
      const ended = AbortSignal.any([signal, failure.signal]);
      return runRollout({ subject, operator, signal: ended }, what, services, {
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
  operator: Client;
  signal: AbortSignal;
}

async function runRollout(
  { subject, operator, signal }: Place,
  what: string,
  services: number,
  body: BodyInput<Routes["rollouts.create"]>,
): Promise<Reading[]> {
  await subject.probe("reset");
  const from = performance.now();
  const created = await operator.call("rollouts.create", { body });
  const createdAt = performance.now();
  const { loop: whileCreated } = await subject.probe("read");
  await subject.probe("reset");
  for (let state = "RUNNING"; state !== "SUCCEEDED"; ) {
    if (state !== "RUNNING") throw new Error(`The rollout is ${state}.`);
    await sleep(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    ({ state } = await operator.call("rollouts.get", { params: { rolloutId: created.id } }));
  }
  const perSecond = services / ((performance.now() - createdAt) / 1000);
  const { loop } = await subject.probe("read");
  const limit = { figure: "max", limit: 50 } as const;
  return [
    readingOf(`${what}: creation`, "ms", [createdAt - from], { figure: "max", limit: 2000 }),
    { ...loopReading(whileCreated, limit), work: `${what}: event loop delay, creation` },
    readingOf(`${what}: commands`, "per second", [perSecond], null),
    { ...loopReading(loop, limit), work: `${what}: event loop delay` },
  ];
}
