// The servers that share a PostgreSQL database. Each one writes its own row. A server on
// SQLite writes none.

import type { nodes } from "../../api/nodes.ts";
import { type ClusterNode, nodeKeptMs, nodeSilentMs } from "../../domain/nodes.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import {
  countNodes,
  deleteNode,
  deleteNodesBefore,
  listNodes,
  writeNode,
} from "../../store/tables/nodes.ts";
import { moveClock } from "../clock/retention-clock.ts";
import { bulkReader, type Core } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof nodes> = {
  "nodes.list": async (ctx, { query }) => {
    const { items, total } = await listNodes(bulkReader(ctx), query);
    const silentBefore = ctx.core.now() - nodeSilentMs;
    return { items: items.map((node) => toView(node, silentBefore)), total };
  },
};

/**
 * Must be called every `nodeEveryMs`. Also moves the retention clock, so that a node that starts
 * knows whether another one is running.
 */
export async function noteNode(core: Core): Promise<void> {
  const { id, host, url } = core.node;
  if (url === null || !isShared(core)) return;
  const { version } = core.settings.version;
  const { polls: heldPolls } = core.doorbell.countWaiting();
  const startedAt = core.startedAtWall;
  await core.db.write(async (tx) => {
    await writeNode(tx, { id, host, url, version, startedAt, seenAt: tx.now, heldPolls });
    await moveClock(core, tx);
  });
}

/** Must be called when the node stops, after its last `noteNode`. */
export async function removeNode(core: Core): Promise<void> {
  if (core.node.url === null || !isShared(core)) return;
  await core.db.write((tx) => deleteNode(tx, core.node.id));
}

/** Deletes the rows of nodes that ended without removing themselves. */
export async function forgetNodes(core: Core): Promise<void> {
  if (!isShared(core)) return;
  await core.db.write((tx) => deleteNodesBefore(tx, tx.now - nodeKeptMs));
}

/** Returns null on SQLite. */
export async function clusterFacts(core: Core) {
  if (!isShared(core)) return null;
  return {
    nodeId: core.node.url === null ? null : core.node.id,
    isLeader: core.leadership.isHeld,
    nodes: await countNodes(core.db.read, core.now() - nodeSilentMs),
  };
}

function isShared({ db }: Core): boolean {
  return db.engine === "postgresql";
}

function toView(node: ClusterNode, silentBefore: number) {
  const { startedAt, seenAt } = node;
  const isOnline = seenAt >= silentBefore;
  return {
    ...node,
    status: isOnline ? ("ONLINE" as const) : ("OFFLINE" as const),
    heldPolls: isOnline ? node.heldPolls : 0,
    ...isoTimes({ startedAt, seenAt }, "startedAt", "seenAt"),
  };
}
