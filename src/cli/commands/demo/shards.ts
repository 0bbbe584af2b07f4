// The demo's services for a rollout: shards of the page cache, of which two have a full disk.

import type { Agent } from "../../../agent/index.ts";

export const shardCount = 6;
export const fullShards = [2, 5];

export async function addShards(agent: Agent): Promise<void> {
  const { ActionError } = await import("../../../agent/index.ts");
  for (let number = 1; number <= shardCount; number++) {
    agent
      .service({
        code: `shard-${number}`,
        name: `Cache shard ${number}`,
        version: "2.1.0",
        labels: { tier: "cache" },
        health: "UP",
      })
      .action({
        name: "rebuild",
        label: "Rebuild the index",
        timeoutSeconds: 10,
        execute: () => {
          if (fullShards.includes(number)) {
            throw new ActionError("DISK_FULL", "The index needs 2 GiB, but the disk is full.");
          }
          return { pages: 1000 };
        },
      });
  }
}
