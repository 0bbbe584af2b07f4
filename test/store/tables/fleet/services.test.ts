// Compares the effective status in SQL with that in TypeScript, for all combinations of facts, with
// each time at, before and after its threshold.

import { expect, test } from "vitest";
import { presentCaller } from "../../../../src/core/caller.ts";
import { agentStatuses } from "../../../../src/domain/fleet/agents.ts";
import {
  classifyHealth,
  effectiveStatus,
  type StatusFacts,
} from "../../../../src/domain/fleet/effective-status.ts";
import { byUrgency, type HealthMap } from "../../../../src/domain/fleet/health-map.ts";
import { effectiveStatuses } from "../../../../src/domain/fleet/services.ts";
import type { Tx } from "../../../../src/store/database.ts";
import { insertAgentToken } from "../../../../src/store/tables/access/agent-tokens.ts";
import { saveAgent } from "../../../../src/store/tables/fleet/agents.ts";
import {
  listAgedServices,
  storeAged,
  touchServices,
} from "../../../../src/store/tables/fleet/service-statuses.ts";
import {
  insertService,
  listServices,
  type ServiceState,
} from "../../../../src/store/tables/fleet/services.ts";
import { countEffectiveStatuses, healthMapJson } from "../../../../src/store/tables/overview.ts";
import { startOfTime as now, openTestApp } from "../../../helpers/app.ts";

const thresholds = { offlineMs: 90_000, suppressMs: 900_000, serviceStaleMs: 120_000 };
const around = (threshold: number) => [-1, 0, 1].map((ms) => now - threshold + ms);
const heartbeats = [null, ...around(900_000), ...around(90_000), now, now + 5];
const reports = [...around(120_000), now, now + 5];
/** One of each class: test/domain/fleet/effective-status.test.ts tests which words belong to it. */
const healths = [null, "UP", "DOWN"];

const tokens = [
  { agentHasActiveToken: true, agentHasStopped: false },
  { agentHasActiveToken: true, agentHasStopped: true },
  { agentHasActiveToken: false, agentHasStopped: false },
];

const agents = agentStatuses.flatMap((agentStatus) =>
  heartbeats.flatMap((lastHeartbeatAt) =>
    tokens.map((token) => ({ agentStatus, lastHeartbeatAt, ...token })),
  ),
);

const insertInvitation =
  "INSERT INTO registration_tokens (id, token_hash, status, created_at) VALUES ('r', 'r', 'USED', 0)";

/** Returns the facts of each service by its id. */
async function storeAll(tx: Tx): Promise<Map<string, StatusFacts>> {
  const stored = new Map<string, StatusFacts>();
  await tx.run(insertInvitation);
  for (const [index, agent] of agents.entries()) {
    await storeAgent(tx, `agent-${index}`, agent);
    for (const lastReportedAt of reports) {
      for (const healthStatus of healths) {
        const facts = { ...agent, lastReportedAt, healthStatus };
        const id = `service-${stored.size}`;
        await insertService(tx, serviceWith(id, `agent-${index}`, facts));
        stored.set(id, facts);
      }
    }
  }
  return stored;
}

async function storeAgent(tx: Tx, id: string, facts: (typeof agents)[number]): Promise<void> {
  await saveAgent(tx, {
    id,
    code: id,
    name: null,
    mode: "sidecar",
    runtime: null,
    version: null,
    labels: {},
    assignedLabels: {},
    features: [],
    status: facts.agentStatus,
    registeredAt: 0,
    updatedAt: 0,
    lastHeartbeatAt: facts.lastHeartbeatAt,
    disabledAt: null,
    stoppedAt: facts.agentHasStopped ? 1 : null,
  });
  // A revoked token must not count.
  const insertToken = (name: string) =>
    insertAgentToken(tx, { id: name, agentId: id, hash: name, registrationTokenId: "r" });
  await insertToken(`${id}-old`);
  await tx.run("UPDATE agent_tokens SET revoked_at = 1 WHERE agent_id = ?", id);
  if (facts.agentHasActiveToken) await insertToken(id);
}

function serviceWith(id: string, agentId: string, facts: StatusFacts): ServiceState {
  return {
    id,
    code: id,
    agentId,
    name: id,
    version: "1",
    description: null,
    runtime: null,
    labels: {},
    healthStatus: facts.healthStatus,
    healthClass: classifyHealth(facts.healthStatus),
    healthMessage: null,
    healthDetails: null,
    healthChangedAt: null,
    removedAt: null,
    movedAt: null,
    storedStatus: "UNKNOWN",
    manifest: null,
    configs: [],
    createdAt: 0,
    updatedAt: 0,
    lastReportedAt: facts.lastReportedAt ?? 0,
  };
}

test("the filter, the sweep and the overview agree with effectiveStatus", async () => {
  const { database } = openTestApp();
  const facts = await database.write(storeAll);
  expect(facts.size).toBe(3 * 9 * 3 * 5 * 3);
  const counts = await countEffectiveStatuses(database.read, now, thresholds);
  const aside = database.bulkReader(presentCaller);
  const map = await healthMapJson(aside, now, thresholds, facts.size);
  const { agents, total: mapped, truncated } = JSON.parse(map) as HealthMap;
  const cells = agents.flatMap(({ services }) => services);
  expect({ mapped, truncated }).toEqual({ mapped: facts.size, truncated: false });
  const everything = { page: 1, pageSize: facts.size };
  for (const status of effectiveStatuses) {
    const wanted = [...facts].filter(
      ([, each]) => effectiveStatus(each, now, thresholds) === status,
    );
    const filter = { ...everything, status: [status] };
    const { items, total } = await listServices(database.read, filter, now, thresholds);
    expect(items.map(({ id }) => id).sort()).toEqual(wanted.map(([id]) => id).sort());
    expect(total).toBe(wanted.length);
    expect(total).toBeGreaterThan(0);
    expect(counts[status]).toBe(total);
    const ids = cells.filter((cell) => cell.status === status).map(({ id }) => id);
    expect(ids.sort()).toEqual(wanted.map(([id]) => id).sort());
  }

  const sort = { by: "status", isDescending: false };
  const page = { page: 1, pageSize: facts.size, sort };
  const { items: sorted } = await listServices(database.read, page, now, thresholds);
  const urgencies = sorted.map(({ id }) => {
    const each = facts.get(id) as StatusFacts;
    return byUrgency.indexOf(effectiveStatus(each, now, thresholds));
  });
  expect(urgencies).toEqual(urgencies.toSorted((a, b) => a - b));

  const differing = [...facts.values()].filter(
    (each) => effectiveStatus(each, now, thresholds) !== "UNKNOWN",
  );
  const agedOf = async (tx: Tx) => {
    const aged = await listAgedServices(tx, "", tx.now, thresholds, 10_000);
    return aged.filter(({ status, stored }) => status !== stored);
  };
  const swept = await database.write(async (tx) => {
    const aged = await agedOf(tx);
    for (const service of aged) await storeAged(tx, service);
    return aged;
  });
  expect(swept).toHaveLength(differing.length);
  const { items } = await listServices(database.read, everything, now, thresholds);
  const wrong = items.filter(
    (service) => service.storedStatus !== effectiveStatus(facts.get(service.id)!, now, thresholds),
  );
  expect(wrong).toEqual([]);
  expect(await database.write(agedOf)).toEqual([]);
});

test.each([
  ["UP", "HEALTHY"],
  ["DOWN", "UNHEALTHY"],
  ["STARTING", "UNKNOWN"],
  [null, "UNKNOWN"],
])(
  "an unchanged report with health %j stores %s, and its time never goes back",
  async (healthStatus, status) => {
    const { database } = openTestApp();
    const facts = { ...agents[0]!, lastReportedAt: now - 10, healthStatus };
    const [service] = await database.write(async (tx) => {
      await tx.run(insertInvitation);
      await storeAgent(tx, "agent", agents[0]!);
      await insertService(tx, { ...serviceWith("service", "agent", facts), storedStatus: "STALE" });
      await touchServices(tx, [["service", now - 5]]);
      await touchServices(tx, [["service", now - 7]]);
      return tx.all(`SELECT stored_status AS "status", last_reported_at AS "at" FROM services`);
    });
    expect(service).toEqual({ status, at: now - 5 });
  },
);
