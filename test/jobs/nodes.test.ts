// Which node of a cluster runs which job, and what a node that joins or takes over does.

import { describe, expect, test, vi } from "vitest";
import { presentCaller } from "../../src/core/caller.ts";
import { agentKey } from "../../src/core/changes/doorbell.ts";
import { noteNode } from "../../src/core/cluster/nodes.ts";
import { expireCommands } from "../../src/core/commands/endings.ts";
import { nodeEveryMs } from "../../src/domain/nodes.ts";
import { startJobs } from "../../src/jobs/index.ts";
import { openNodes } from "../core/nodes.ts";
import { openTestApp, type TestApp } from "../helpers/app.ts";
import { atEnd } from "../helpers/lifetime.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { onPostgres } from "../helpers/postgres-app.ts";

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 5 });
const hour = 3_600_000;

/** A node waits at least this many milliseconds before it asks for the lock again. */
const lockRetryMs = 1000;

function untilLeader({ app, clock }: TestApp) {
  return until(async () => {
    clock.advance(lockRetryMs);
    expect(await app.core.leadership.acquire()).toBe(true);
  });
}

function runsOf({ app }: TestApp) {
  const runs = { node: 0, cluster: 0 };
  const job = (scope: "node" | "cluster") => {
    return { name: scope, everyMs: 5, scope, run: async () => void runs[scope]++ };
  };
  const stopJobs = startJobs(app.core, [job("node"), job("cluster")]);
  const stop = async () => {
    await stopJobs();
    await app.core.leadership.resign();
  };
  atEnd(stop);
  return { runs, stop };
}

describe.skipIf(!hasPostgres)("jobs", () => {
  test("of the cluster run at one node, and at another one when that stops", async () => {
    const { one, other } = await openNodes();
    const first = runsOf(one);
    await until(() => expect(first.runs.cluster).toBeGreaterThan(2));
    const second = runsOf(other);
    await until(() => expect(second.runs.node).toBeGreaterThan(10));
    expect(first.runs.node).toBeGreaterThan(10);
    expect(second.runs.cluster).toBe(0);
    await first.stop();
    const { cluster } = first.runs;
    await until(() => {
      one.clock.advance(lockRetryMs);
      expect(second.runs.cluster).toBeGreaterThan(2);
    });
    expect(first.runs.cluster).toBe(cluster);
  });

  test("of the cluster continue when the connection with the lock is lost", async () => {
    const { one, other } = await openNodes();
    await one.app.core.leadership.acquire();
    expect(await other.app.core.leadership.acquire()).toBe(false);
    await one.database.read.all(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await until(() => expect(one.app.core.leadership.isHeld).toBe(false));
    await untilLeader(other);
    expect(await one.app.core.leadership.acquire()).toBe(false);
  });
});

describe.skipIf(!hasPostgres)("the deadlines of open commands", () => {
  /** Two nodes that notice a jump of the database's clock. */
  async function afterJump(byMs = hour) {
    const { one, other } = await openNodes();
    await one.app.core.leadership.acquire();
    for (const { app } of [one, other]) await app.noteStarted();
    const commandId = await one.execute();
    const read = () => one.as("viewer").call("commands.get", { params: { commandId } });
    const before = Date.parse((await read()).expiresAt);
    one.clock.jump(byMs);
    for (const { app } of [one, other]) app.core.statusClock.watch();
    const moved = async () => Date.parse((await read()).expiresAt) - before;
    return { one, other, moved };
  }

  test("move once when the clock jumps, whichever node is asked", async () => {
    const { one, other, moved } = await afterJump();
    await expireCommands(other.app.core);
    expect(await moved()).toBe(0);
    await expireCommands(one.app.core);
    expect(await moved()).toBe(hour);
    await one.app.core.leadership.resign();
    await untilLeader(other);
    await expireCommands(other.app.core);
    expect(await moved()).toBe(hour);
  });

  test("wake what waits at the other nodes, too", async () => {
    const { one, other } = await afterJump();
    const { doorbell } = other.app.core;
    const waiter = doorbell.register(agentKey(one.agent.agentId), presentCaller);
    await expireCommands(one.app.core);
    expect(await waiter.wait(hour)).toBe("rung");
    waiter.close();
  });

  test.each([
    ["forward", hour],
    ["back", -hour],
  ])("move %s if the node that should have moved them has just stopped", async (_, byMs) => {
    const { one, other, moved } = await afterJump(byMs);
    await one.app.core.leadership.resign();
    await untilLeader(other);
    await expireCommands(other.app.core);
    expect(await moved()).toBe(byMs);
  });
});

describe.skipIf(!hasPostgres)("a node that starts", () => {
  const minute = 60_000;

  async function started(app: TestApp): Promise<TestApp> {
    await app.app.noteStarted();
    return app;
  }

  function another({ config, clock }: TestApp): Promise<TestApp> {
    return started(openTestApp({ DATA_DIR: config.dataDir }, {}, clock));
  }

  const graces = ({ app }: TestApp) => app.core.statusClock.disturbances;

  test("gives agents time to call only if no other node has run", async () => {
    const first = await started(await onPostgres(() => openTestApp()));
    await first.app.join("http://10.0.0.1:8080");
    first.clock.advance(50_000);
    await noteNode(first.app.core);
    first.clock.advance(nodeEveryMs);
    expect(graces(await another(first))).toBe(0);
    await first.app.close();
    first.clock.advance(5 * minute);
    const next = await another(first);
    await next.app.join("http://10.0.0.2:8080");
    expect(graces(next)).toBe(1);
    // A node that joins soon after knows that no agent could call. Later, agents had time to call.
    next.clock.advance(nodeEveryMs);
    expect(graces(await another(first))).toBe(1);
    next.clock.advance(2 * minute);
    await noteNode(next.app.core);
    expect(graces(await another(first))).toBe(0);
  });

  test("gives agents time to call even if another node starts at the same time", async () => {
    const first = await started(await onPostgres(() => openTestApp()));
    await first.app.close();
    first.clock.advance(5 * minute);
    const open = () => openTestApp({ DATA_DIR: first.config.dataDir }, {}, first.clock);
    const [one, other] = [open(), open()];
    await one.app.core.leadership.acquire();
    for (const node of [other, one]) expect(graces(await started(node))).toBe(1);
  });
});
