import { z } from "zod";
import { nodeStatuses } from "../domain/nodes.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, idOf, pageQuery, timestamp } from "./contract/schemas.ts";

const node = namedObject("Node", {
  id: idOf("nod").describe("New at each start."),
  host: z.string().describe("The name of its machine."),
  url: z.string().describe("Where it listens, behind any proxy."),
  version: z.string(),
  status: named("NodeStatus", z.enum(nodeStatuses)).describe(
    "OFFLINE: not seen for 15 seconds, because it has failed or cannot reach the database.",
  ),
  heldPolls: count.describe("Agents that wait on this node for commands; 0 if it is OFFLINE."),
  startedAt: timestamp,
  seenAt: timestamp.describe("Accurate to five seconds."),
});

export const nodes = defineRoutes({
  "nodes.list": {
    method: "GET",
    path: "/api/admin/nodes",
    access: "viewer",
    summary:
      "List the servers that share a PostgreSQL database, newest first; with SQLite, the list is empty",
    description:
      "A server that stops is removed. One that has failed is OFFLINE, and remains for an hour with the time when it was last seen.",
    query: z.object(pageQuery),
    reply: z.array(node),
    paginated: true,
  },
});
