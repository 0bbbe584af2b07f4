// A cluster lists its nodes. With SQLite, the list is empty.

import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { noteNode } from "../../../src/core/cluster/nodes.ts";
import { openTestApp, startOfTime } from "../../helpers/app.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { openNodes } from "../nodes.ts";

const minute = 60_000;

describe("a server on SQLite", () => {
  sqliteOnly("a server on SQLite has the file to itself");

  test("lists no nodes, and writes none", async () => {
    const { app, as, database } = openTestApp();
    await app.join("http://127.0.0.1:8080");
    expect(await as("viewer").call("nodes.list")).toEqual([]);
    expect((await as("viewer").call("diagnostics.get")).cluster).toBeNull();
    expect(await database.read.all("SELECT * FROM nodes")).toEqual([]);
    await app.close();
  });
});

describe.skipIf(!hasPostgres)("a cluster", () => {
  async function joined() {
    const { one, other, there } = await openNodes();
    await one.app.join("http://10.0.0.1:8080");
    await other.app.join("http://10.0.0.2:8080");
    const list = async () => await other.as("viewer").call("nodes.list");
    return { one, other, there, list };
  }

  test("lists each node with its address, its version and the agents that wait at it", async () => {
    const { one, other, there, list } = await joined();
    const at = new Date(startOfTime).toISOString();
    const of = ({ app }: typeof other, url: string) => ({
      id: app.core.node.id,
      host: app.core.node.host,
      url,
      version: "0.0.0-dev",
      status: "ONLINE",
      heldPolls: 0,
      startedAt: at,
      seenAt: at,
    });
    const own = async ({ app }: typeof other) =>
      (await list()).find(({ id }) => id === app.core.node.id);
    expect(await own(one)).toEqual(of(one, "http://10.0.0.1:8080"));
    expect(await own(other)).toEqual(of(other, "http://10.0.0.2:8080"));
    const poll = there.call("agent.poll", { query: { wait: 20 } });
    await expect.poll(() => other.app.core.doorbell.countWaiting().polls).toBe(1);
    other.clock.advance(5000);
    await noteNode(other.app.core);
    const seenAt = new Date(startOfTime + 5000).toISOString();
    expect(await own(other)).toMatchObject({ heldPolls: 1, seenAt, startedAt: at });
    expect(await own(one)).toMatchObject({ heldPolls: 0, seenAt: at });
    other.clock.advance(15_000);
    expect(await own(other)).toMatchObject({ status: "ONLINE", heldPolls: 1 });
    other.clock.advance(1);
    expect(await own(other)).toMatchObject({ status: "OFFLINE", heldPolls: 0, seenAt });
    other.app.beginToStop();
    await poll;
  });

  test("shows its nodes in the metrics, and no longer lists a node that has stopped", async () => {
    const { one, other, list } = await joined();
    await other.app.core.leadership.acquire();
    const { chunks } = await other.as("owner").download("metrics.prometheus");
    const shown = await text(chunks);
    expect(shown).toContain("\nplatform_nodes 2\n");
    expect(shown).toContain("\nplatform_node_is_leader 1\n");
    await one.app.close();
    expect((await list()).map(({ id }) => id)).toEqual([other.app.core.node.id]);
  });

  test("lists a node that has failed for an hour, but does not count it", async () => {
    const { other, list } = await joined();
    const nodes = async () => {
      const { cluster } = await other.as("viewer").call("diagnostics.get");
      return cluster?.nodes;
    };
    const sweep = () => other.as("operator").call("maintenance.run", { body: {} });
    expect(await nodes()).toBe(2);
    other.clock.advance(59 * minute);
    await noteNode(other.app.core);
    await sweep();
    expect(await list()).toHaveLength(2);
    expect(await nodes()).toBe(1);
    other.clock.advance(2 * minute);
    await sweep();
    expect((await list()).map(({ id }) => id)).toEqual([other.app.core.node.id]);
  });
});
