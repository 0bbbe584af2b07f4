// A group of calls by different agents changes rows with no more statements than one call.

import { describe, expect, test } from "vitest";
import { Session } from "../../../../src/store/engine/postgresql/connection/session.ts";
import { openNodes } from "../../../core/nodes.ts";
import { collector, type Scene } from "../../../core/scene.ts";
import type { TestAgent } from "../../../helpers/app.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";

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

/** Returns the statements that change rows in the one transaction in which the calls write. */
async function statementsOf(scene: Scene, calls: (() => Promise<unknown>)[]): Promise<string[]> {
  const sent: { session: Session; sql: string }[] = [];
  const { query } = Session.prototype;
  Session.prototype.query = function (this: Session, sql, params) {
    sent.push({ session: this, sql });
    return query.call(this, sql, params);
  };
  const { database } = scene;
  try {
    // The writes that arrive while a group runs form the next group.
    const before = database.write(async (tx) => {
      while (database.storage().pendingWrites <= calls.length) await tx.get("SELECT 1");
    });
    await Promise.all([before, ...calls.map((call) => call())]);
  } finally {
    Object.assign(Session.prototype, { query });
  }
  const begin = sent.findLastIndex(({ sql }) => sql.startsWith("BEGIN"));
  const writer = sent[begin]?.session;
  const own = sent.slice(begin).filter(({ session }) => session === writer);
  return own.map(({ sql }) => sql).filter((sql) => /^(INSERT|UPDATE|DELETE)/.test(sql));
}

describe.skipIf(!hasPostgres)("the statements of one group", () => {
  test("that change rows are as many for one agent as for many", async () => {
    const fleet = await openFleet(4);
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
    for (const [name, call] of Object.entries(calls)) {
      const [ofOne = [], ofMany = []] = await sentFor(fleet, call);
      expect(ofOne.length).toBeGreaterThan(1);
      expect([name, ofMany.length]).toEqual([name, ofOne.length]);
    }
  });
});

/**
 * Returns what the call sends for the first agent, and then what it sends for all others at once.
 */
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
