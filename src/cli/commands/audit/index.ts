// `platformctl audit …`

import {
  actorTypes,
  auditActions,
  auditResults,
  auditTargetTypes,
  exportFormats,
} from "../../../domain/audit/audit-events.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { before, callsApi, page } from "../../options.ts";
import { shortTargetTypes } from "./target-types.ts";

/** Which events. */
const filters: OptionSpec[] = [
  {
    flags: "--action <action>",
    summary: "such as command.failed, or command.*",
    completes: auditActions,
  },
  {
    flags: "--actor <who>",
    summary: "who did it: agent, user or API key, by name or id",
    completes: "actor",
  },
  { flags: "--actor-type <type>", summary: "what did it", choices: [...actorTypes] },
  {
    flags: "--target <what>",
    summary: "what it was done to, by name or id",
    completes: "target",
  },
  {
    flags: "--target-type <type>",
    summary: "what kind of thing that is",
    choices: [...auditTargetTypes, ...Object.keys(shortTargetTypes)],
  },
  { flags: "--result <result>", summary: "how it went", choices: [...auditResults] },
  { flags: "--from <time>", summary: "then or later: 2026-01-31T08:00:00Z, or 24h (ago)" },
  { flags: "--to <time>", summary: "before then" },
];

export const audit: CommandSpec[] = [
  {
    name: "audit list",
    summary: "List audit events, newest first",
    options: [...filters, ...page, before],
    ...callsApi,
    examples: ["audit list --action 'agent.*' --limit 50", "audit list --actor edge-1 --from 24h"],
    run: async () => (await import("./list.ts")).listAuditEvents,
  },
  {
    name: "audit tail",
    summary: "Show the newest audit events, oldest first, and follow those that come",
    options: [
      { flags: "-f, --follow", summary: "go on with what comes, across restarts of the server" },
      {
        flags: "-n, --lines <count>",
        summary: "how many to begin with",
        kind: "integer",
        default: 10,
      },
      ...filters,
    ],
    output: "rows",
    target: true,
    examples: ["audit tail -f", "audit tail -f -n 0 --action 'command.*' -o jsonl"],
    onlyPrints: true,
    run: async () => (await import("./tail.ts")).tailAuditEvents,
  },
  {
    name: "audit export",
    summary: "Export all audit events that match, oldest first",
    options: [
      {
        flags: "--format <format>",
        summary: "of the export; else as the name of the file ends, else json",
        choices: [...exportFormats],
      },
      {
        flags: "--out <file>",
        summary: "write this file, whole or not at all; else to stdout",
        completes: "file",
      },
      { flags: "--force", summary: "also when the file is there already" },
      ...filters,
    ],
    target: true,
    examples: [
      "audit export --out audit.csv --from 2026-01-01 --to 2026-02-01",
      "audit export --format jsonl --result DENIED | jq -r .actorName",
    ],
    run: async () => (await import("./export.ts")).exportAuditEvents,
  },
  {
    name: "audit verify",
    summary: "Verify the chain of the audit trail; fails when it is broken",
    options: [
      {
        flags: "--anchor <file>",
        summary: "the trail must contain the row that was kept in it",
        completes: "file",
      },
      {
        flags: "--save-anchor <file>",
        summary: "keep the newest row in it when all is sound",
        completes: "file",
      },
    ],
    ...callsApi,
    examples: ["audit verify", "audit verify --anchor anchor.json --save-anchor anchor.json"],
    run: async () => (await import("./verification.ts")).verifyAuditEvents,
  },
];
