// An event, its matches, commands and audit rows are stored in one transaction. If any statement
// fails, none of them is stored.

import { expect, test } from "vitest";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { changedTx, wrapWrites } from "../../helpers/wrapped-writes.ts";
import { collector } from "../scene.ts";
import { type Bus, openBus } from "./scene.ts";

/** Makes the n-th write statement fail, and returns how many write statements there were. */
function failAt({ database }: Bus, nth: number): () => number {
  let statements = 0;
  const countOne = () => {
    statements++;
    if (statements === nth) throw new Error(`statement ${nth} fails`);
  };
  const restore = wrapWrites(database, (tx) => {
    statements = 0;
    return changedTx(tx, {
      run: async (sql, ...params) => {
        countOne();
        return tx.run(sql, ...params);
      },
      runAll: async (statement, rows) => {
        countOne();
        return tx.runAll(statement, rows);
      },
    });
  });
  return () => {
    restore();
    return statements;
  };
}

async function countAll({ database }: Bus): Promise<number[]> {
  const tables = ["bus_events", "bus_matches", "commands", "audit_events"];
  const counts = await Promise.all(
    tables.map((table) => database.read.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)),
  );
  return counts.map((row) => row?.n ?? -1);
}

onBothEngines(() => {
  test("if any statement fails, neither the event nor its commands exist", async () => {
    const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "1" });
    const target = (action: string) => ({ target: { serviceCode: collector.code, action } });
    await bus.route();
    await bus.route({ state: "DRY_RUN" });
    await bus.route(target("vanish"));
    await bus.route(target("form"));
    const before = await countAll(bus);
    const published = () => bus.publish({ id: "1" });

    const countOnly = failAt(bus, Number.POSITIVE_INFINITY);
    const probe = await bus.publish({ id: "0" });
    const statements = countOnly();
    expect(probe.duplicate).toBe(false);
    expect(statements).toBeGreaterThanOrEqual(14);
    const added = (await countAll(bus)).map((count, at) => count - (before[at] ?? 0));
    // There are four matches: two commands, a dry run and a failure. The event, each match and each
    // command have one audit row each.
    expect(added).toEqual([1, 4, 2, 7]);
    bus.clock.advance(60_000);

    const settled = await countAll(bus);
    for (let nth = 1; nth <= statements; nth++) {
      const restore = failAt(bus, nth);
      await expect(published()).rejects.toThrow();
      restore();
      expect([nth, await countAll(bus)]).toEqual([nth, settled]);
    }
    // The failed event does not count toward the limit per minute, which is 1.
    expect(await published()).toMatchObject({ duplicate: false });
    bus.clock.advance(60_000);
    expect(await published()).toMatchObject({ duplicate: true });
    expect((await bus.as("operator").call("audit-events.verify")).ok).toBe(true);
  });
});
