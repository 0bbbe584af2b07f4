import type { busEvents as routes } from "../bus/bus-events.ts";
import type { NounTexts } from "../contract/noun.ts";

export const busEvents = {
  group: "events",
  one: "event",
  title: "Events",
  summary: "Events of the event bus, and their outcomes (experimental)",
  lead: "Events that agents have published, with the outcome at each route.",
  about: { cell: "eventSummary" },
  opens: "type",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "type", of: "type" },
    { name: "source", of: "source" },
    { name: "subject", of: "subject" },
    { name: "received", of: "receivedAt", kind: "time" },
    { name: "outcome", of: { cell: "eventOutcome" } },
    { name: "depth", of: "depth", kind: "number", wide: true },
    { name: "cause", of: "causationId", wide: true },
    { name: "correlation", of: "correlationId", wide: true },
    { name: "source id", of: "sourceEventId", wide: true },
    { name: "agent", of: "agentId", kind: "key", wide: true, link: { to: "agents" } },
  ],
  facts: ["source", "received", "outcome"],
  empty: "No events. Agents publish them; you can also use: platformctl events publish",
  emptyPage: "No event has been received yet. Agents publish them.",
  filters: { source: { hint: "Code of a service" } },
  examples: { get: ["events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"] },
} as const satisfies NounTexts<typeof routes, "bus-events">;
