import { z } from "zod";
import { nodeStatuses } from "../domain/nodes.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, idOf, pageQuery, timestamp } from "./contract/schemas.ts";

const node = namedObject("Node", {
  id: idOf("nod").describe("The node's id, which is new at each start."),
  host: z.string().describe("The name of the node's machine."),
  url: z.string().describe("The URL where the node listens, behind any proxy."),
  version: z.string().describe("The version of the node's program."),
  status: named("NodeStatus", z.enum(nodeStatuses)).describe(
    "A node is OFFLINE if it has not been seen for 15 seconds. It has then failed, or cannot " +
      "reach the database.",
  ),
  heldPolls: count.describe(
    "The number of agents that wait on this node for commands. 0 if the node is OFFLINE.",
  ),
  startedAt: timestamp.describe("When the node was started."),
  seenAt: timestamp.describe("When the node was last seen, accurate to five seconds."),
});

export const nodes = defineRoutes({
  "nodes.list": {
    method: "GET",
    path: "/api/admin/nodes",
    access: "viewer",
    summary:
      "List the servers that share a PostgreSQL database, newest first; with SQLite, the list is empty",
    description:
      "A server that stops is removed from the list. A server that has failed stays in the " +
      "list for an hour as OFFLINE, with the time when it was last seen.",
    query: z.object(pageQuery),
    reply: z.array(node),
    paginated: true,
  },
});
