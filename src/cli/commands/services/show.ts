import type { Reply } from "../../../api/index.ts";
import { listedActions } from "../../../domain/fleet/services.ts";
import { printRow } from "../../nouns/view.ts";
import { labelsSection } from "../../output/labels.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { wrapLines } from "../../output/text-width.ts";
import { tableSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";

type ServiceDetail = Reply<"services.get">;

export function printService(io: Io, options: OutputOptions, service: ServiceDetail): void {
  printRow(io, options, "services", service, () => [
    labelsSection(service.labelSources),
    ...catalogOf(io, service),
    ...[
      noteOf(service, io.now()),
      moveOf(service),
      removalOf(service, io.now()),
      claimsOf(service, io.now()),
    ].map((text) => wrapLines(text, io.width)),
  ]);
}

function noteOf({ code, note }: ServiceDetail, now: number): string {
  // Older servers do not return this field.
  if (!note) return "";
  const by = note.by === null ? "" : ` by ${note.by}`;
  const end =
    note.until === null ? "until the problem changes" : `ends ${relativeTime(note.until, now)}`;
  const lines = [`${note.kind}${by} ${relativeTime(note.at, now)}, ${end}`, note.note];
  const remedy = `End it: platformctl attention clear ${code}`;
  return section("handled", [...lines, remedy].filter(Boolean).join("\n"));
}

/** docs/guides/sidecar.md describes how to move a service. */
function moveOf({ agentCode, statusCause }: ServiceDetail): string {
  if (statusCause !== "NOT_REPORTED_YET") return "";
  const what = `${agentCode} has not reported this service since the move.`;
  const how = "Its agent.yaml must contain the service, and the previous agent's must not.";
  return section("moved", `${what}\n${how}`);
}

function removalOf(service: ServiceDetail, now: number): string {
  const { code, agentCode, removedAt, statusCause } = service;
  // Older servers do not return this field.
  if (!removedAt || statusCause === "NOT_REPORTED_YET") return "";
  const what = `${agentCode} stopped managing this service ${relativeTime(removedAt, now)}.`;
  const remedy = `Delete it, unless it will be reported again: platformctl services delete ${code}`;
  return section("removed", `${what}\n${remedy}`);
}

function claimsOf({ code, claims = [], statusCause }: ServiceDetail, now: number): string {
  // Older servers do not return this field.
  if (claims.length === 0) return "";
  const lines = claims.map(({ agentCode, since }) => {
    return `${agentCode} also reports this service; first refused ${relativeTime(since, now)}`;
  });
  const purpose = statusCause === "NOT_REPORTED_YET" ? "Undo the move" : "Move the service";
  const remedy = `${purpose}: platformctl services move ${code} --to ${claims[0]?.agentCode}`;
  return section("claims", [...lines, remedy].join("\n"));
}

/** If a configuration has no value, `source` can contain the reason. */
function valueOfConfig(config: ServiceDetail["configs"][number]): string {
  if (config.sensitive) return "(sensitive)";
  if (config.valuePreview !== undefined) return JSON.stringify(config.valuePreview);
  return `(no value; ${config.source ?? "no source"})`;
}

function catalogOf(io: Io, service: ServiceDetail): string[] {
  const actions = listedActions(service.actions).map((action) => [
    action.name,
    action.dangerLevel,
    action.requiresConfirmation ? "yes" : "no",
    printableLine(action.description || (action.label === action.name ? "-" : action.label)),
  ]);
  const configs = service.configs.map((config) => [
    printableLine(config.key),
    printableLine(valueOfConfig(config)),
  ]);
  return [
    tableSection(io, "actions", ["name", "danger", "confirm", "description"], actions),
    tableSection(io, "configs", ["key", "value"], configs),
    service.healthDetails === null ? "" : section("health details", service.healthDetails),
  ];
}
