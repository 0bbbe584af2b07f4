// How the replay of a window is printed while it comes: the events, then what they come to. However long
// the window is, no more than a page of it is in memory.

import type { ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { OutcomeCounts, ReplaySummary } from "../../../domain/bus/replays.ts";
import { counted } from "../../../lib/counted.ts";
import { GrowingTable } from "../../output/growing-table.ts";

import { toJson } from "../../output/json.ts";
import { isForPeople, type OutputOptions, section, type View } from "../../output/output.ts";
import { indented, printableLine } from "../../output/printable.ts";
import { padTo } from "../../output/text-width.ts";
import { toYaml } from "../../output/yaml.ts";
import type { Io } from "../../terminal/io.ts";

type ReplayPage = ReplyData<Routes["bus-routes.replay"]>;
export type ReplayedEvent = ReplayPage["events"][number];

/** What stands behind the events; in JSON and YAML under these names. */
export type ReplayEnd = Pick<ReplayPage, "oldestEventAt"> & { summary: ReplaySummary };

export interface ReplayWriter {
  /** The text of these events. */
  events(events: readonly ReplayedEvent[]): string;
  /** The text behind the last event. */
  end(end: ReplayEnd): string;
}

/** Throws a usage error for a column that there is not. `isSaved`: there may be recorded outcomes. */
export function replayWriter(io: Io, output: OutputOptions, isSaved: boolean): ReplayWriter {
  const view = viewOf(isSaved);
  if (output.output === "json") return new JsonWriter();
  if (output.output === "yaml") return new YamlWriter();
  if (!isForPeople(output)) {
    const isName = output.output === "name";
    const line = (event: ReplayedEvent) => (isName ? view.nameOf(event) : toJson(event));
    return {
      events: (events) => events.map((event) => `${line(event)}\n`).join(""),
      end: () => "",
    };
  }
  const table = new GrowingTable(io, output, view);
  return {
    events: (events) => table.linesOf(events),
    end: ({ summary }) => (endsWithSummary(output) ? summaryText(summary) : ""),
  };
}

/** Whether what it comes to is in the text; else it can be told in a line beside. */
export function endsWithSummary({ output, headers }: OutputOptions): boolean {
  if (output === "json" || output === "yaml") return true;
  return isForPeople({ output: output ?? "table" }) && headers !== false;
}

/** `120 events, 14 matched: 12 commands, 2 failed` */
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

class JsonWriter implements ReplayWriter {
  #isEmpty = true;

  events(events: readonly ReplayedEvent[]): string {
    if (events.length === 0) return "";
    const head = this.#isEmpty ? `{\n  "events": [\n` : ",\n";
    this.#isEmpty = false;
    return head + events.map((event) => `    ${indentedJson(event, "    ")}`).join(",\n");
  }

  end({ summary, oldestEventAt }: ReplayEnd): string {
    const rest = `,
  "summary": ${indentedJson(summary, "  ")},
  "oldestEventAt": ${JSON.stringify(oldestEventAt)}\n}\n`;
    return (this.#isEmpty ? `{\n  "events": []` : "\n  ]") + rest;
  }
}

function indentedJson(value: unknown, indent: string): string {
  return toJson(value, 2).replaceAll("\n", `\n${indent}`);
}

class YamlWriter implements ReplayWriter {
  #isEmpty = true;

  events(events: readonly ReplayedEvent[]): string {
    if (events.length === 0) return "";
    const head = this.#isEmpty ? "events:\n" : "";
    this.#isEmpty = false;
    return head + indented(toYaml(events));
  }

  end({ summary, oldestEventAt }: ReplayEnd): string {
    return (this.#isEmpty ? "events: []\n" : "") + toYaml({ summary, oldestEventAt });
  }
}

function summaryText({ events, matched, reasons, recorded, ...counts }: ReplaySummary): string {
  const told = reasons.reduce((sum, { count }) => sum + count, 0);
  const others = counts.failed - told;
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
