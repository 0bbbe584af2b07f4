import type { busRoutes as routes } from "../bus/bus-routes.ts";
import type { NounTexts } from "../contract/noun.ts";

export const busRoutes = {
  group: "routes",
  one: "bus route",
  title: "Routes",
  summary: "Routes of the event bus: which events become which commands (experimental)",
  lead: "Routes define which events become which commands. A route creates at most one command per event.",
  name: "name",
  about: "state",
  columns: [
    { name: "name", of: "name", kind: "key" },
    { name: "state", of: "state", kind: "state" },
    { name: "type", of: "match.type", label: "Event type" },
    { name: "source", of: "match.source", wide: "terminal" },
    { name: "target", of: { cell: "routeTarget" }, label: "Runs" },
    { name: "updated", of: "updatedAt", kind: "time" },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "declared", of: { cell: "declaredIn" }, wide: true, label: "Declared in" },
    { name: "version", of: "version", kind: "number", wide: true },
    { name: "created", of: "createdAt", kind: "time", wide: true },
    { name: "description", of: "description", wide: true },
  ],
  facts: ["type", "target"],
  empty: "No routes. Create one: platformctl routes create -f route.yaml",
  emptyPage:
    "There is no route yet. Create one, test it, and put it in dry run before you enable it.",
  filters: {
    state: { options: { DISABLED: "Disabled", DRY_RUN: "Dry run", ENABLED: "Enabled" } },
    q: { hint: "Name" },
  },
  acts: {
    delete: {
      asks: "Delete the route {title}? The commands that it created are kept.",
      happens: [
        "The route creates no more commands. Existing commands are kept, and events keep the route's name. This cannot be undone.",
      ],
      done: "{title} is deleted.",
      danger: true,
    },
  },
  examples: {
    list: ["routes list --state ENABLED"],
    get: ["routes get rotate-full-logs -o yaml > route.yaml"],
  },
} as const satisfies NounTexts<typeof routes, "bus-routes">;
