import type { NounTexts } from "../contract/noun.ts";
import type { nodes as routes } from "../nodes.ts";

export const nodes = {
  one: "node",
  summary: "Servers that share a PostgreSQL database",
  lead: "The servers that share this PostgreSQL database. One that has failed remains in the list for an hour.",
  name: "host",
  about: "version",
  columns: [
    { name: "id", of: "id", kind: "key" },
    { name: "host", of: "host" },
    { name: "url", of: "url", label: "URL" },
    { name: "version", of: "version" },
    { name: "status", of: "status", kind: "state" },
    { name: "held polls", of: "heldPolls", kind: "number" },
    { name: "started", of: "startedAt", kind: "time" },
    { name: "last seen", of: "seenAt", kind: "time" },
  ],
  facts: ["version", "last seen"],
  empty: "No nodes: the database is not a PostgreSQL database, or no server is running.",
  emptyPage: "This server uses SQLite, so it is the only one.",
  examples: { list: ["nodes list"] },
} as const satisfies NounTexts<typeof routes, "nodes">;
