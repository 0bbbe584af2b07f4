// A group of calls by different agents needs no more statements than one call.

import { describe, expect, test } from "vitest";
import { plansForAnySize } from "../../../../src/store/engine/postgresql/database.ts";
import { numbered } from "../../../../src/store/engine/postgresql/placeholders.ts";
import { Session } from "../../../../src/store/engine/postgresql/session.ts";
import { openNodes } from "../../../core/nodes.ts";
import { collector, type Scene } from "../../../core/scene.ts";
import type { TestAgent } from "../../../helpers/app.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { migratedPostgres } from "../../../helpers/postgres-schema.ts";

interface Fleet {
  scene: Scene;
  agents: (TestAgent & { serviceId: string })[];
}

async function openFleet(size: number): Promise<Fleet> {
  const { one: scene } = await openNodes();
  const agents: Fleet["agents"] = [];
  for (let number = 0; number < size; number++) {
    const code = `service-${number}`;
    const agent = await scene.registerAgent(`agent-${number}`, [{ ...collector, code }]);
    const [service] = await scene.as("viewer").call("services.list", { query: { q: code } });
    agents.push({ ...agent, serviceId: service?.id as string });
  }
  return { scene, agents };
}

/** Returns the statements of the one transaction in which the calls write. */
async function statementsOf(scene: Scene, calls: (() => Promise<unknown>)[]): Promise<string[]> {
  const sent: { session: Session; sql: string }[] = [];
  const { query, queryJoined } = Session.prototype;
  Session.prototype.query = function (this: Session, sql, params) {
    sent.push({ session: this, sql });
    return query.call(this, sql, params);
  };
  Session.prototype.queryJoined = function (this: Session, join) {
    return queryJoined.call(this, () => {
      const joined = join();
      sent.push({ session: this, sql: joined.sql });
      return joined;
    });
  };
  const { database } = scene;
  try {
    // The writes that arrive while another group runs form the next one.
    const before = database.write(async (tx) => {
      while (database.queueDepth() <= calls.length) await tx.get("SELECT 1");
    });
    await Promise.all([before, ...calls.map((call) => call())]);
  } finally {
    Object.assign(Session.prototype, { query, queryJoined });
  }
  const begin = sent.findLastIndex(({ sql }) => sql.startsWith("BEGIN"));
  const writer = sent[begin]?.session;
  const own = sent.slice(begin).filter(({ session }) => session === writer);
  return own.map(({ sql }) => sql);
}

describe.skipIf(!hasPostgres)("the statements of one group", () => {
  test("are as many for one agent as for many, and find rows by indexes", async () => {
    const fleet = await openFleet(9);
    const { scene } = fleet;
    const commands = new Map<TestAgent, string>();
    const calls: Record<string, (agent: Fleet["agents"][number]) => Promise<unknown>> = {
      create: ({ serviceId }) =>
        scene
          .as("operator")
          .call("actions.execute", { params: { serviceId, actionName: "rotate" }, body: {} }),
      claim: async (agent) =>
        commands.set(agent, (await scene.poll({ wait: 0 }, agent))[0] as string),
      result: (agent) => scene.result(commands.get(agent) as string, { success: true }, agent),
    };
    const joined = new Set<string>();
    for (const [name, call] of Object.entries(calls)) {
      const [ofOne = [], ofMany = []] = await sentFor(fleet, call);
      expect([name, ofMany.length]).toEqual([name, ofOne.length]);
      for (const sql of ofMany) if (sql.includes("each_work")) joined.add(sql);
    }
    expect(joined.size).toBeGreaterThan(6);
    const client = await migratedPostgres();
    for (const [name, value] of Object.entries(plansForAnySize)) {
      await client.query(`SET ${name} = ${value}`);
    }
    for (const sql of joined) {
      const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${numbered(sql)}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toMatch(/Index (Only )?Scan/);
      expect(plan).not.toMatch(/Seq Scan|Hash Join|Merge Join|Materialize/);
    }
  });
});

/** Returns what the call sends for the first agent, and then what it sends for all others at once. */
async function sentFor(
  { scene, agents }: Fleet,
  call: (agent: Fleet["agents"][number]) => Promise<unknown>,
): Promise<string[][]> {
  const [first, ...others] = agents.map((agent) => () => call(agent));
  return [
    await statementsOf(scene, [first as () => Promise<unknown>]),
    await statementsOf(scene, others),
  ];
}
