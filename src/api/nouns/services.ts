import { effectiveStatuses } from "../../domain/fleet/services.ts";
import type { NounTexts } from "../contract/noun.ts";
import type { services as routes } from "../services.ts";

export const services = {
  one: "service",
  summary: "Managed services and their status",
  lead: "The services that your agents manage, as the agents report them.",
  code: "code",
  name: "name",
  about: "status",
  columns: [
    { name: "code", of: "code", kind: "key" },
    { name: "status", of: "status", kind: "state" },
    { name: "version", of: "version" },
    { name: "agent", of: "agentCode", link: { to: "agents", id: "agentId" } },
    { name: "reported", of: "lastReportedAt", kind: "time", label: "Last report" },
    { name: "message", of: { cell: "serviceMessage" }, kind: "cause" },
    { name: "name", of: "name", wide: "terminal" },
    { name: "health", of: "healthStatus", wide: "terminal", label: "Reported health" },
    { name: "health since", of: "healthChangedAt", kind: "time", wide: true },
    { name: "labels", of: { cell: "labels" }, wide: true },
    { name: "stored", of: "storedStatus", kind: "state", wide: true, label: "Stored status" },
    { name: "id", of: "id", kind: "key", wide: true },
  ],
  facts: ["agent", "reported", "message"],
  empty: "No services. They appear when an agent reports them.",
  emptyPage: "No service has been reported yet. Agents report theirs after they have registered.",
  pageSort: "status",
  filters: {
    // These are suggestions, because agents can report any word.
    healthStatus: { flag: "health", hint: "UP, DOWN …", suggests: ["UP", "DEGRADED", "DOWN"] },
    action: { hint: "Its name" },
    q: { hint: "Code or name" },
  },
  acts: {
    delete: {
      asks: "Delete {title} of {agentCode}? Its commands are kept.",
      happens: [
        "The service is deleted, with its configuration and its actions.",
        "Its commands, its bus events and the audit trail are kept, with its code. Commands are deleted when their retention period ends.",
        "If an agent reports the service again, it comes back as a new service. Until then, bus routes that name it fail.",
      ],
      done: "{title} is deleted.",
      when: { status: ["OFFLINE", "STALE"] },
      danger: true,
    },
  },
  wait: {
    statuses: effectiveStatuses,
    default: "HEALTHY",
  },
  examples: {
    list: ["services list --status UNHEALTHY --sort agent", "services list -o json"],
    delete: ["services delete log-collector --yes"],
    wait: ["services wait log-collector --timeout 2m"],
  },
} as const satisfies NounTexts<typeof routes, "services">;
