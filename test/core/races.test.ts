// Tests that exactly one of several concurrent calls succeeds. `npm run test:long` repeats this
// thousands of times.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, vi } from "vitest";
import { noBasis, requirePermit } from "../../src/core/approvals/permits.ts";
import { createCommand } from "../../src/core/commands/commands.ts";
import { expireCommands } from "../../src/core/commands/endings.ts";
import { type Ctx, systemContext } from "../../src/core/context.ts";
import { findTarget } from "../../src/core/presence/action-targets.ts";
import { registrationFailuresPerMinute } from "../../src/domain/limits.ts";
import { claimCommands } from "../../src/store/tables/commands/command-deliveries.ts";
import type { TestAgent } from "../helpers/app.ts";
import { onBothEngines } from "../helpers/both-engines.ts";
import { size } from "../helpers/size.ts";
import { outcome } from "./refusals.ts";
import { registering } from "./registering.ts";
import { collector, type Scene, test } from "./scene.ts";

/** With each token. All of them together stay below the limit on failures. */
const attempts = registrationFailuresPerMinute / 5;

onBothEngines(() => {
  test("of many concurrent registrations with each of five tokens, one succeeds", async ({
    app,
  }) => {
    const { as, database } = app;
    const { invite, register } = registering(app);
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => invite()));
    const calls = Array.from({ length: attempts }).flatMap((_, attempt) =>
      tokens.map(async (token, index) => {
        const registered = register(token, { code: `edge-${index}-${attempt}` });
        return `${index}: ${await outcome(registered.then(() => "registered"))}`;
      }),
    );
    const outcomes = Object.groupBy(await Promise.all(calls), (outcome) => outcome);
    for (const index of tokens.keys()) {
      expect(outcomes[`${index}: registered`]).toHaveLength(1);
      expect(outcomes[`${index}: REGISTRATION_TOKEN_USED`]).toHaveLength(attempts - 1);
    }
    expect((await as("viewer").page("agents.list")).pagination.total).toBe(5);
    const used = await database.read.all(
      `SELECT COUNT(*) AS "n" FROM registration_tokens WHERE status = 'USED'
     GROUP BY used_by_agent_id`,
    );
    expect(used).toEqual(Array(5).fill({ n: 1 }));
    expect(await countAudit(database.read, "registration_token.consumed")).toBe(5);
    expect(await countAudit(database.read, "registration_token.rejected")).toBe((attempts - 1) * 5);
  });

  test("concurrent polls claim each command once", async ({ scene }) => {
    const others = await Promise.all(
      [2, 3].map((n) => scene.registerAgent(`edge-${n}`, [{ ...collector, code: `service-${n}` }])),
    );
    const { data: services } = await scene.as("viewer").page("services.list");
    const perService = size(20, 1000);
    const wanted = new Map<string, string>();
    for (const service of services) {
      const { agentId, agentCode, id } = service;
      const ids = await makeCommands(scene, perService, { agentId, agentCode, serviceId: id });
      for (const id of ids) wanted.set(id, service.agentId);
    }
    const claimed: [id: string, agentId: string][] = [];
    const pollAll = async (agent: TestAgent) => {
      while (claimed.length < wanted.size) {
        const ids = await scene.poll({ wait: 0, limit: 3 }, agent);
        claimed.push(...ids.map((id): [string, string] => [id, agent.agentId]));
        await nextTurn();
      }
    };
    const agents = [scene.agent, ...others];
    await Promise.all([...agents, ...agents, ...agents, ...agents].map(pollAll));
    expect(claimed).toHaveLength(3 * perService);
    expect(new Map(claimed)).toEqual(wanted);
    const { read } = scene.database;
    expect(await read.all(`SELECT DISTINCT status, deliveries FROM commands`)).toEqual([
      { status: "RUNNING", deliveries: 1 },
    ]);
    expect(await countAudit(read, "command.dispatched")).toBe(3 * perService);
  });
});

const races = size(120, 3000);

onBothEngines(() => {
  test(`result, cancellation and expiry race ${races} times, and each command has one end in the trail`, async ({
    scene,
  }) => {
    const { app, clock, database } = scene;
    const ids = await makeCommands(scene, races);
    await database.write(async (tx) => {
      const expiresAt = tx.now + 60_000;
      await claimCommands(
        tx,
        ids.filter((_, index) => index % 3 > 0).map((id) => ({ id, expiresAt })),
      );
    });
    clock.advance(300_000);

    // Expiry handles the commands in this order, and the other calls in another order.
    const winners = new Map<string, string[]>(ids.map((id) => [id, []]));
    const attempt = async (id: string, as: string, act: () => Promise<unknown>) => {
      try {
        await act();
        winners.get(id)?.push(as);
      } catch (error) {
        // A result is also refused while its command is undelivered and still open.
        const codes = ["COMMAND_ALREADY_COMPLETED", "COMMAND_NOT_RUNNING"];
        expect(codes).toContain((error as { code?: string }).code);
      }
    };
    /**
     * Ends the transaction of the calls so far: results that arrive together are recorded together.
     */
    const nextTransaction = () => database.write(async () => undefined);
    // With the real clock, a slow machine would expire only a few commands before the other calls.
    vi.spyOn(app.core, "monotonic").mockReturnValue(0);
    let expiring = Promise.resolve(0);
    const attempts: Promise<void>[] = [];
    let delayed: (() => void)[] = [];
    for (const [index, id] of shuffled(ids).entries()) {
      // The first third of the calls comes before expiry, and the last third after it.
      if (index === races / 3) expiring = expireCommands(app.core);
      if (index === (2 * races) / 3) await expiring;
      const success = index % 2 === 0;
      const error = { code: "FROM_AGENT" };
      const result = () =>
        attempt(id, success ? "SUCCEEDED" : "FAILED", () =>
          scene.result(id, success ? { success } : { success, error }),
        );
      const cancel = () => attempt(id, "CANCELLED", () => scene.cancel(id));
      const [first, second] =
        index % 5 < 2 ? ([cancel, result] as const) : ([result, cancel] as const);
      attempts.push(first());
      if (index % 4 < 2) attempts.push(second());
      else delayed.push(() => attempts.push(second()));
      if (index % 20 < 19) continue;
      await nextTransaction();
      for (const start of delayed) start();
      delayed = [];
    }
    const expired = await expiring;
    await Promise.all(attempts);

    const rows = await database.read.all<EndRow>(endsQuery);
    expect(rows).toHaveLength(races);
    const wrong = rows.filter((row) => {
      const [audited, results] = expectedTrace(row);
      return row.audited !== audited || row.results !== results;
    });
    expect(wrong).toEqual([]);
    // Exactly the calls that succeeded have ended their command.
    for (const { id, status, errorCode } of rows) {
      const byClock = errorCode === "COMMAND_EXPIRED" || errorCode === "COMMAND_TIMED_OUT";
      expect(winners.get(id)).toEqual(byClock ? [] : [status]);
    }
    const outcomes = Object.groupBy(rows, ({ audited }) => audited);
    expect(outcomes["command.expired"]).toHaveLength(expired);
    for (const action of ends) expect(outcomes[action]?.length).toBeGreaterThan(races / 30);
  });
});

const ends = ["command.completed", "command.failed", "command.cancelled", "command.expired"];

interface EndRow {
  id: string;
  status: string;
  errorCode: string | null;
  audited: string;
  /** Late results are not counted. */
  results: number;
}

const endsQuery = `SELECT id, status, error_code AS "errorCode",
  (SELECT MIN(action) || CASE COUNT(*) WHEN 1 THEN '' ELSE ' and more' END FROM audit_events WHERE target_id = commands.id
     AND action IN ('${ends.join("', '")}')) AS "audited",
  (SELECT COUNT(*) FROM command_results WHERE command_id = commands.id AND late = 0) AS "results"
  FROM commands`;

function expectedTrace({ status, errorCode }: EndRow): [audited: string, results: number] {
  if (status === "SUCCEEDED") return ["command.completed", 1];
  if (status === "CANCELLED") return ["command.cancelled", 0];
  return errorCode === "FROM_AGENT" ? ["command.failed", 1] : ["command.expired", 0];
}

function makeCommands(
  { app, agent, serviceId }: Scene,
  count: number,
  target: { agentId: string; agentCode: string; serviceId: string } = {
    agentId: agent.agentId,
    agentCode: "edge-1",
    serviceId,
  },
): Promise<string[]> {
  const ctx: Ctx = systemContext(app.core);
  return app.core.db.write(async (tx) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const command = await createCommand(ctx, tx, {
        ...target,
        type: "ACTION_EXECUTE",
        permit: await requirePermit(
          tx,
          await findTarget(tx, target.serviceId, "rotate"),
          noBasis,
          "",
        ),
        serviceCode: collector.code,
        action: "rotate",
        payload: {},
        schema: {},
        reason: null,
        source: { kind: "operator", id: null, name: null, routeId: null },
        prepareCommandId: null,
        retryOf: null,
        timeoutSeconds: 60,
        ttlSeconds: 300,
      });
      ids.push(command.id);
    }
    return ids;
  });
}

/** Returns the items in a different, reproducible order. */
function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  let seed = 1;
  for (let at = copy.length - 1; at > 0; at--) {
    seed = (seed * 48_271) % 2_147_483_647;
    const other = seed % (at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}

async function countAudit(read: Scene["database"]["read"], action: string): Promise<number> {
  const rows = await read.all("SELECT 1 FROM audit_events WHERE action = ?", action);
  return rows.length;
}
