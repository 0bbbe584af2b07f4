// Stores the nodes of a cluster. On SQLite there are none.

import type { ClusterNode } from "../../domain/nodes.ts";
import type { Reader, Tx } from "../database.ts";
import { Filters, type Listed, type Page } from "../filters.ts";
import { countOf, pageOf } from "../rows.ts";
import { run } from "../sql-tag.ts";

const columns = `id, host, url, version, started_at AS "startedAt", seen_at AS "seenAt",
  held_polls AS "heldPolls"`;

/** The newest node comes first. */
export function listNodes(db: Reader, page: Page): Promise<Listed<ClusterNode>> {
  const toNode = (row: ClusterNode) => row;
  return pageOf(db, [columns, "nodes", "id"], new Filters(), page, toNode);
}

export function countNodes(db: Reader, seenSince: number): Promise<number> {
  return countOf(db, "nodes", new Filters().always("seen_at >= ?", seenSince));
}

export async function writeNode(tx: Tx, node: ClusterNode): Promise<void> {
  const { id, host, url, version, startedAt, seenAt, heldPolls } = node;
  await run(tx)`INSERT INTO nodes (id, host, url, version, started_at, seen_at, held_polls)
     VALUES (${id}, ${host}, ${url}, ${version}, ${startedAt}, ${seenAt}, ${heldPolls})
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, held_polls = excluded.held_polls`;
}

export async function deleteNode(tx: Tx, id: string): Promise<void> {
  await run(tx)`DELETE FROM nodes WHERE id = ${id}`;
}

export async function deleteNodesBefore(tx: Tx, seenBefore: number): Promise<void> {
  await run(tx)`DELETE FROM nodes WHERE seen_at < ${seenBefore}`;
}
