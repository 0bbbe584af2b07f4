// The floor of the benchmarks writes the rows that the server writes.

import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { measureFloor } from "../../scripts/bench/floor.ts";
import { collector, openScene } from "../core/scene.ts";

test.each(["create", "result"] as const)("the rows of %s are the server's", async (kind) => {
  const scene = await openScene();
  const id = await scene.execute();
  await scene.poll({ wait: 0 });
  await scene.result(id, { success: true, output: { entries: 3 } });
  const { agentId, agentToken } = scene.agent;
  const agent = { id: agentId, token: agentToken, serviceId: scene.serviceId };
  const agents = Array(3).fill({ ...agent, serviceCode: collector.code });
  const rows: Record<string, number> = {};
  const report = await measureFloor({
    kind,
    subject: { databaseFile: scene.db },
    agents,
    seconds: 0,
    signal: new AbortController().signal,
    onWritten(file) {
      const database = new Database(file, { readonly: true });
      for (const table of ["commands", "command_results", "audit_events"]) {
        const count = database.prepare(`SELECT COUNT(*) FROM ${table} WHERE id LIKE '%7FLOOR%'`);
        rows[table] = Number(count.pluck().get());
      }
      database.close();
    },
  });
  expect(report.written).toBe(3);
  expect(rows).toEqual(
    kind === "create"
      ? { commands: 3, command_results: 0, audit_events: 3 }
      : { commands: 0, command_results: 3, audit_events: 3 },
  );
});
