import {
  actorTypes,
  auditActions,
  auditResults,
  auditTargetTypes,
  exportFormats,
} from "../../../domain/audit/audit-events.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { before, callsApi, fileOption, option, page, view } from "../../options.ts";
import { shortTargetTypes } from "./target-types.ts";

const filters: OptionSpec[] = [
  option("--action <action>", "only this action, such as command.failed, or command.*", {
    completes: auditActions,
  }),
  option("--actor <who>", "the agent, user or API key that acted, by name or id", {
    completes: "actor",
  }),
  option("--actor-type <type>", "the type of the actor", { choices: [...actorTypes] }),
  option("--target <what>", "the target of the action, by name or id", { completes: "target" }),
  option("--target-type <type>", "the type of the target", {
    choices: [...auditTargetTypes, ...Object.keys(shortTargetTypes)],
  }),
  option("--result <result>", "the result", { choices: [...auditResults] }),
  option("--from <time>", "at or after this time, such as 2026-01-31T08:00:00Z or 24h (ago)"),
  option("--to <time>", "before this time"),
];

export const audit = (): CommandSpec[] => [
  {
    name: "audit list",
    summary: "List audit events, newest first",
    options: [view, ...filters, ...page, before],
    ...callsApi,
    csv: "audit-events.list",
    examples: ["audit list --action 'agent.*' --limit 50", "audit list --actor edge-1 --from 24h"],
    run: async () => (await import("./list.ts")).listAuditEvents,
  },
  {
    name: "audit tail",
    summary:
      "Show the newest audit events in order of time; with --follow, also new events as they " +
      "arrive",
    options: [
      option("-f, --follow", "continue with new events, even after the server restarts"),
      option("-n, --lines <count>", "how many events to show first", {
        kind: "integer",
        default: 10,
      }),
      ...filters,
    ],
    output: "rows",
    destination: true,
    examples: ["audit tail -f", "audit tail -f -n 0 --action 'command.*' -o jsonl"],
    run: async () => (await import("./tail.ts")).tailAuditEvents,
  },
  {
    name: "audit export",
    summary: "Export all audit events that match, oldest first",
    options: [
      option(
        "--format <format>",
        "the format; by default from the file's extension, or else json",
        {
          choices: [...exportFormats],
        },
      ),
      fileOption(
        "--out <file>",
        "write to this file when the export is complete; by default stdout",
      ),
      option("--force", "replace an existing file"),
      ...filters,
    ],
    destination: true,
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
      option("--incremental", "check only the rows after the last successful verification"),
      fileOption("--anchor <file>", "check that the trail contains the row in this file"),
      fileOption("--save-anchor <file>", "save the newest row to this file if the trail is sound"),
    ],
    ...callsApi,
    onlyPrints: true,
    examples: [
      "audit verify",
      "audit verify --incremental",
      "audit verify --anchor anchor.json --save-anchor anchor.json",
    ],
    run: async () => (await import("./verification.ts")).verifyAuditEvents,
  },
];
