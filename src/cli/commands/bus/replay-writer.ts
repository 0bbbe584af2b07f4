// Prints a replay page by page, and then a summary. Holds at most one page in memory.

import type { Reply } from "../../../api/index.ts";
import type { OutcomeCounts, ReplaySummary } from "../../../domain/bus/replays.ts";
import { counted } from "../../../lib/counted.ts";
import { growingTable } from "../../output/growing-output.ts";
import { toJson } from "../../output/json.ts";
import {
  isForPeople,
  lineOf,
  type OutputOptions,
  section,
  type View,
} from "../../output/output.ts";
import { indented, printableLine } from "../../output/printable.ts";
import { padTo } from "../../output/text-width.ts";
import { toYaml } from "../../output/yaml.ts";
import type { Io } from "../../terminal/io.ts";

type ReplayPage = Reply<"bus-routes.replay">;
export type ReplayedEvent = ReplayPage["events"][number];

/** JSON and YAML output use these field names. */
type ReplayEnd = Pick<ReplayPage, "oldestEventAt"> & { summary: ReplaySummary };

interface ReplayWriter {
  events(events: readonly ReplayedEvent[]): string;
  end(end: ReplayEnd): string;
}

/** Only saved routes have recorded outcomes. Throws a usage error for an unknown column. */
export function replayWriter(io: Io, output: OutputOptions, isSaved: boolean): ReplayWriter {
  const view = viewOf(isSaved);
  if (output.output === "json") return jsonWriter();
  if (output.output === "yaml") return yamlWriter();
  if (!isForPeople(output)) {
    const line = (event: ReplayedEvent) => lineOf(output.output, event, view);
    return { events: (events) => events.map(line).join(""), end: () => "" };
  }
  const linesOf = growingTable(io, output, view);
  return {
    events: (events) => linesOf(events),
    end: ({ summary }) => (endsWithSummary(output) ? summaryText(summary) : ""),
  };
}

export function endsWithSummary(options: OutputOptions): boolean {
  const { output, headers } = options;
  if (output === "json" || output === "yaml") return true;
  return isForPeople(options) && headers !== false;
}

/** Returns text such as `120 events, 14 matched: 12 commands, 2 failed`. */
export function summaryLine({ events, matched, ...counts }: ReplaySummary): string {
  const outcomes = matched > 0 ? `: ${countsText(counts)}` : "";
  return `${counted(events, "event")}, ${matched} matched${outcomes}\n`;
}

function viewOf(isSaved: boolean): View<ReplayedEvent> {
  return {
    columns: [
      { name: "received", value: (event) => event.receivedAt, kind: "time" },
      { name: "event", value: (event) => event.eventId, kind: "key" },
      { name: "type", value: (event) => event.type },
      { name: "source", value: (event) => event.source, wide: true },
      { name: "outcome", value: (event) => event.outcome ?? "no match", kind: "state" },
      ...(isSaved ? recordedColumns : []),
      { name: "reason", value: (event) => event.reason },
      { name: "payload", value: ({ payload }) => payload && JSON.stringify(payload), wide: true },
    ],
    nameOf: (event) => event.eventId,
  };
}

const recordedColumns: View<ReplayedEvent>["columns"] = [
  { name: "recorded", value: ({ recorded }) => recorded?.outcome, kind: "state" },
  { name: "command", value: ({ recorded }) => recorded?.commandId, kind: "key", wide: true },
];

function documentWriter(form: {
  open: string;
  item: (event: ReplayedEvent) => string;
  between: string;
  close: string;
  empty: string;
  end: (end: ReplayEnd) => string;
}): ReplayWriter {
  let isEmpty = true;
  return {
    events(events) {
      if (events.length === 0) return "";
      const head = isEmpty ? form.open : form.between;
      isEmpty = false;
      return head + events.map(form.item).join(form.between);
    },
    end: (end) => (isEmpty ? form.empty : form.close) + form.end(end),
  };
}

const jsonWriter = () =>
  documentWriter({
    open: `{\n  "events": [\n`,
    item: (event) => `    ${indentedJson(event, "    ")}`,
    between: ",\n",
    close: "\n  ]",
    empty: `{\n  "events": []`,
    end: ({ summary, oldestEventAt }) =>
      `,\n  "summary": ${indentedJson(summary, "  ")},\n` +
      `  "oldestEventAt": ${JSON.stringify(oldestEventAt)}\n}\n`,
  });

const yamlWriter = () =>
  documentWriter({
    open: "events:\n",
    item: (event) => indented(toYaml([event])),
    between: "",
    close: "",
    empty: "events: []\n",
    end: ({ summary, oldestEventAt }) => toYaml({ summary, oldestEventAt }),
  });

function indentedJson(value: unknown, indent: string): string {
  return toJson(value, 2).replaceAll("\n", `\n${indent}`);
}

function summaryText({ events, matched, reasons, recorded, ...counts }: ReplaySummary): string {
  const explained = reasons.reduce((sum, { count }) => sum + count, 0);
  const others = counts.failed - explained;
  const lines = [
    ["events", events],
    ["matched", matched],
    ["commands", counts.commands],
    ...(counts.dryRuns > 0 ? [["dry runs", counts.dryRuns]] : []),
    ...(counts.failed > 0 ? [["failed", counts.failed]] : []),
    ...reasons.map(({ reason, count }) => ["", `${count}: ${printableLine(reason)}`]),
    ...(others > 0 ? [["", `${others}: for other reasons`]] : []),
    ...(recorded ? [["recorded", countsText(recorded)]] : []),
  ];
  return section(
    "summary",
    lines.map(([name, text]) => `${padTo(`${name}`, 8)}  ${text}`).join("\n"),
  );
}

function countsText({ commands, dryRuns, failed }: OutcomeCounts): string {
  const parts = [
    ...(commands > 0 ? [counted(commands, "command")] : []),
    ...(dryRuns > 0 ? [counted(dryRuns, "dry run")] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : "nothing";
}
