import {
  actorTypes,
  auditActions,
  auditResults,
  auditTargetTypes,
  exportFormats,
} from "../../../domain/audit/audit-events.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { before, callsApi, fileOption, page } from "../../options.ts";
import { shortTargetTypes } from "./target-types.ts";

const filters: OptionSpec[] = [
  {
    flags: "--action <action>",
    summary: "such as command.failed, or command.*",
    completes: auditActions,
  },
  {
    flags: "--actor <who>",
    summary: "the agent, user or API key that acted, by name or id",
    completes: "actor",
  },
  { flags: "--actor-type <type>", summary: "the type of the actor", choices: [...actorTypes] },
  {
    flags: "--target <what>",
    summary: "the target of the action, by name or id",
    completes: "target",
  },
  {
    flags: "--target-type <type>",
    summary: "the type of the target",
    choices: [...auditTargetTypes, ...Object.keys(shortTargetTypes)],
  },
  { flags: "--result <result>", summary: "the result", choices: [...auditResults] },
  {
    flags: "--from <time>",
    summary: "at or after this time, such as 2026-01-31T08:00:00Z or 24h (ago)",
  },
  { flags: "--to <time>", summary: "before this time" },
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
    summary: "Show the newest audit events, oldest first, and follow new ones",
    options: [
      {
        flags: "-f, --follow",
        summary: "continue with new events, even after the server restarts",
      },
      {
        flags: "-n, --lines <count>",
        summary: "how many events to show first",
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
        summary: "by default from the file's extension, otherwise json",
        choices: [...exportFormats],
      },
      fileOption(
        "--out <file>",
        "write to this file when the export is complete; by default stdout",
      ),
      { flags: "--force", summary: "replace an existing file" },
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
    summary: "Verify the chain of the audit trail; fails if the chain is broken",
    options: [
      fileOption("--anchor <file>", "the trail must contain the row in this anchor"),
      fileOption("--save-anchor <file>", "save the newest row there if the trail is sound"),
    ],
    ...callsApi,
    examples: ["audit verify", "audit verify --anchor anchor.json --save-anchor anchor.json"],
    run: async () => (await import("./verification.ts")).verifyAuditEvents,
  },
];
