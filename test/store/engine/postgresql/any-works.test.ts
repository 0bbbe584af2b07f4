// Writes and items of batches, with failures of all kinds, on two engines at once: the outcome is
// compared with what they would do one after the other.

import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { appendAuditEvents } from "../../../../src/store/audit/audit-events.ts";
import { chainHash, genesis, type NewAuditEvent } from "../../../../src/store/audit/chain-hash.ts";
import type { BatchHandler, RowsStatement, Tx } from "../../../../src/store/database.ts";
import { hasPostgres } from "../../../helpers/postgres.ts";
import { migratedPostgres } from "../../../helpers/postgres-schema.ts";
import { size } from "../../../helpers/size.ts";
import { openOn, outcomesOf } from "./engine.ts";

/** The ways in which a write of the random test can end, after its changes or before them. */
const ends = [
  "well",
  "well",
  "well",
  "well",
  "throws at once",
  "throws after a read",
  "throws after its changes",
  "a statement fails",
  "a statement fails unnoticed",
  "a statement for rows fails",
  "the connection is lost",
] as const;

type End = (typeof ends)[number];

const isGood = (end: End) => ["well", "the connection is lost"].includes(end);

const counters: RowsStatement = {
  columns: ["name", "value"],
  one: "INSERT INTO counters (name, value) VALUES (?, ?)",
  all: `INSERT INTO counters (name, value)
    SELECT name, value FROM json_populate_recordset(NULL::counters, ?)`,
};

describe.skipIf(!hasPostgres)("random writes", () => {
  const key = createSecretKey(Buffer.alloc(32, 7));

  const eventOf = (id: string, tx: Tx): NewAuditEvent => ({
    ...{ id, at: tx.now, actorType: "AGENT", actorId: "a", actorName: null },
    ...{ action: "agent.updated", targetType: "agent", targetId: id, result: "SUCCESS" },
    ...{ message: null, ip: null, userAgent: null, requestId: null, metadata: { id } },
  });

  interface Item {
    id: string;
    agent: string;
    end: End;
    links: number[];
    /** How often it has run. */
    runs: number;
  }

  /** Writes two audit rows around a change that depends on a read, so that a lost update shows. */
  async function work(tx: Tx, item: Item): Promise<void> {
    const { id, agent, end, links } = item;
    item.runs++;
    if (end === "throws at once") throw new Error(end);
    const read = await tx.get<{ value: number }>(
      "SELECT value FROM counters WHERE name = ?",
      agent,
    );
    if (end === "throws after a read") throw new Error(end);
    const onCommit = ({ seq }: { seq: number }) => void links.push(seq);
    const first = appendAuditEvents(tx, key, [eventOf(`${id} begins`, tx)], onCommit);
    first.catch(() => undefined); // it fails with the statement that fails
    await tx.run("UPDATE counters SET value = ? WHERE name = ?", (read?.value ?? 0) + 1, agent);
    if (end === "a statement fails") await tx.run("INSERT INTO counters VALUES ('total', 0)");
    if (end === "a statement fails unnoticed") {
      await tx.run("INSERT INTO counters VALUES ('total', 0)").catch(() => undefined);
    }
    if (end === "the connection is lost" && item.runs === 1) {
      await tx.run("SELECT pg_terminate_backend(pg_backend_pid())");
    }
    await first;
    await tx.run("UPDATE counters SET value = value + 1 WHERE name = 'total'");
    await appendAuditEvents(tx, key, [eventOf(`${id} ends`, tx)], onCommit);
    if (end === "a statement for rows fails") {
      await tx.runAll(counters, [
        ["new", 0],
        ["total", 0],
      ]);
    }
    if (end === "throws after its changes") throw new Error(end);
  }

  /** An item that fails at once is rejected alone. Any other failure fails the whole call. */
  const batched: BatchHandler<Item, void> = async (tx, items) => {
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const item of items) {
      if (item.end === "throws at once") {
        outcomes.push({ status: "rejected", reason: new Error(item.end) });
      } else {
        outcomes.push({ status: "fulfilled", value: await work(tx, item) });
      }
    }
    return outcomes;
  };

  test("that succeed leave everything, and others nothing, in one chain", async () => {
    const client = await migratedPostgres();
    const url = `postgres://${client.user}:${encodeURIComponent(String(client.password))}@${client.host}:${client.port}/${client.database}`;
    const engines = [await openOn(url), await openOn(url)];
    const agents = ["a", "b", "c", "d", "e", "f"];
    for (const name of [...agents, "total"]) {
      await client.query("INSERT INTO counters VALUES ($1, 0)", [name]);
    }
    let seed = 20;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const done: string[] = [];
    const wanted = new Map<string, number>();
    const links = engines.map((): number[] => []);
    for (let round = 0; round < size(5, 200); round++) {
      const writes = Array.from({ length: 1 + random(20) }, async (_, index) => {
        const id = `${round}.${index}`;
        const agent = agents[random(agents.length)] as string;
        // Connections are lost in a few rounds only, because each group runs at most five times.
        const end = ends[random(ends.length - (round % 4 === 0 ? 0 : 1))] as End;
        const engine = random(2);
        const item = { id, agent, end, links: links[engine] as number[], runs: 0 };
        const database = engines[engine] as (typeof engines)[number];
        const writing =
          random(2) === 0
            ? database.write((tx) => work(tx, item))
            : database.batch(batched, item, random(2) === 0 ? agent : undefined);
        const [outcome] = await outcomesOf([writing]);
        expect([id, end, outcome === undefined]).toEqual([id, end, isGood(end)]);
        if (!isGood(end)) return;
        done.push(`${id} begins`, `${id} ends`);
        for (const name of [agent, "total"]) wanted.set(name, (wanted.get(name) ?? 0) + 1);
      });
      await Promise.all(writes);
    }
    const { rows } = await client.query("SELECT * FROM audit_events ORDER BY seq");
    expect(rows.map(({ id }) => id).sort()).toEqual(done.sort());
    let before = genesis;
    for (const row of rows) {
      const event = eventOf(row.id, { now: Number(row.at) } as Tx);
      const seq = before.seq + 1;
      const link = { seq, hash: chainHash(key, before.hash, seq, event) };
      expect({ seq: Number(row.seq), hash: row.hash }).toEqual(link);
      before = link;
    }
    for (const ofEngine of links) expect(ofEngine).toEqual([...ofEngine].sort((a, b) => a - b));
    expect(links.flat().length).toBe(rows.length);
    const counters = await client.query("SELECT name, value FROM counters");
    const values = Object.fromEntries(
      counters.rows.map(({ name, value }) => [name, Number(value)]),
    );
    const zero = Object.fromEntries([...agents, "total"].map((name) => [name, 0]));
    expect(values).toEqual({ ...zero, ...Object.fromEntries(wanted) });
  });
});
