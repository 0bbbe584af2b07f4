// `platformctl audit …`

import { auditActions, auditResults } from "../../domain/audit-events.ts";
import type { CommandSpec } from "../command.ts";
import { page } from "./parts.ts";

export const auditEvents: CommandSpec[] = [
  {
    name: "audit list",
    summary: "List audit events, newest first",
    options: [
      {
        flags: "--action <action>",
        summary: "such as command.failed, or command.*",
        completes: auditActions,
      },
      { flags: "--actor <id>", summary: "id of who did it" },
      { flags: "--target <id>", summary: "id of what it was done to" },
      {
        flags: "--result <result>",
        summary: "SUCCESS, FAILURE or DENIED",
        completes: auditResults,
      },
      ...page,
    ],
    output: "rows",
    target: true,
    examples: ["audit list --action 'agent.*' --limit 50", "audit list --result DENIED"],
    run: async () => (await import("../commands/audit-events.ts")).listAuditEvents,
  },
];
