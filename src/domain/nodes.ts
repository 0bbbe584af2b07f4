/** A server of a cluster. Times are in Unix milliseconds. */
export interface ClusterNode {
  id: string;
  /** The name of its machine. */
  host: string;
  /** Where it listens. */
  url: string;
  version: string;
  startedAt: number;
  seenAt: number;
  /** The number of agents' open long polls. */
  heldPolls: number;
}

/** A node is OFFLINE if it may have failed. */
export const nodeStatuses = ["ONLINE", "OFFLINE"] as const;

/** What a node publishes about itself for the other nodes. */
export interface OwnNode {
  id: string;
  host: string;
  /** Where it listens; null until it listens. */
  url: string | null;
}

/** How often a node shows that it is running. */
export const nodeEveryMs = 5_000;
/** A node that has not been seen for longer than this may have failed. */
export const nodeSilentMs = 3 * nodeEveryMs;
/** A node that has not been seen for longer than this is removed from the list. */
export const nodeKeptMs = 3_600_000;
