// Prints values from agents to people: a structured result as a table or facts, with the commands
// of the actions that it offers, and any other value as in values.ts.

import { resultLimits } from "../../domain/limits.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { type Cell, cellOf } from "../../domain/results/cells.ts";
import { findOffer, type Offer, type OfferName } from "../../domain/results/offers.ts";
import {
  type NextAction,
  type ResultDetail,
  type ResultList,
  type StructuredResult,
  structuredResult,
} from "../../domain/results/structured-result.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { counted } from "../../lib/counted.ts";
import { formatDuration } from "../../lib/duration.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { paintState } from "../terminal/colours.ts";
import type { Io } from "../terminal/io.ts";
import { indented, isPlainLine, printableLine } from "./printable.ts";
import { relativeTime } from "./relative-time.ts";
import { layOut } from "./table.ts";
import { aligned } from "./text-width.ts";
import { narrower, valueSection } from "./values.ts";

/** `service` is the code of the service whose actions the result offers. */
export function resultSection(io: Io, title: string, value: Json, service: string): string {
  const result = structuredResult(value);
  if (result === null) return valueSection(io, title, value);
  const { list, detail, rest } = result;
  const parts = [
    detail && detailText(io, detail) + offersText(service, result, "detail", detail.actions),
    list && listText(io, list) + offersText(service, result, "row", list.rowActions),
    list && offersText(service, result, "page", list.pageActions),
  ];
  const restText = Object.keys(rest).length > 0 ? valueSection(io, title, rest) : "";
  return restText + parts.filter((part) => part !== null).join("");
}

function listText(io: Io, list: ResultList): string {
  const { columns, otherColumns, rows, total, first } = list;
  const shown = rows.slice(0, resultLimits.rows);
  const title = printableLine(list.title) || "list";
  if (rows.length === 0) return `\n${title}\n  ${printableLine(list.emptyText) || "no rows"}\n`;
  const isPart = first > 1 || shown.length < total;
  const last = first + shown.length - 1;
  const count = isPart ? `rows ${first} to ${last} of ${total}` : counted(total, "row");
  const grid = {
    columns: columns.map(({ label, copyable }) => ({
      head: printableLine(label.toUpperCase()),
      firm: copyable,
    })),
    rows: shown.map((row) => columns.map((column) => cellText(io, cellOf(row, column)))),
    headed: true,
    oneLine: true,
    paint: (text: string, at: number) =>
      io.colour && columns[at]?.type === "status" ? paintState(text) : text,
  };
  const table = indented(layOut(grid, narrower(io).width, false).text);
  const notes = [
    otherColumns > 0 ? counted(otherColumns, "more column") : "",
    rows.length > shown.length ? counted(rows.length - shown.length, "more row") : "",
  ].filter((note) => note !== "");
  return `\n${title} (${count})\n${table}${notesText(notes)}`;
}

function detailText(io: Io, detail: ResultDetail): string {
  const { fields, otherFields, data } = detail;
  const facts = fields.map((field): [string, string] => [
    printableLine(field.label),
    cellText(io, cellOf(data, field)),
  ]);
  const lines = facts.length > 0 ? aligned(facts, narrower(io).width) : ["no fields"];
  const notes = otherFields > 0 ? [counted(otherFields, "more field")] : [];
  const text = indented(`${lines.join("\n")}\n`);
  return `\n${printableLine(detail.title) || "detail"}\n${text}${notesText(notes)}`;
}

function notesText(notes: readonly string[]): string {
  return notes.length > 0 ? `  ${notes.join(" and ")}: -o json shows everything\n` : "";
}

function cellText(io: Io, cell: Cell): string {
  switch (cell.kind) {
    case "nothing":
      return "-";
    case "redacted":
      return "(hidden)";
    case "boolean":
      return cell.value ? "yes" : "no";
    case "number":
      return String(cell.value);
    case "bytes":
      return cell.value < 0 ? `-${formatBytes(-cell.value)}` : formatBytes(cell.value);
    case "duration":
      return durationText(cell.value);
    case "time":
      return cell.at;
    case "relativeTime":
      return relativeTime(cell.at, io.now());
    default:
      return printableLine(cell.text);
  }
}

function durationText(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1000) return `${ms}ms`;
  if (size < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  return formatDuration(ms / 1000);
}

const headings = {
  row: "actions on a row, for example on the first one",
  page: "actions on the list",
  detail: "actions",
};

/** Prints the commands that run the offered actions. */
function offersText(
  service: string,
  result: StructuredResult,
  place: keyof typeof headings,
  actions: readonly NextAction[],
): string {
  const commands = actions.flatMap((_, index): [string, string][] => {
    const name: OfferName = place === "row" ? `row-${index}-0` : `${place}-${index}`;
    const offer = findOffer(result, name);
    return offer ? [[printableLine(offer.label), commandOf(service, offer)]] : [];
  });
  if (commands.length === 0) return "";
  return `\n${headings[place]}\n${indented(`${aligned(commands).join("\n")}\n`)}`;
}

/** The command asks for the fields whose values it cannot contain. */
function commandOf(service: string, { action, payload }: Offer): string {
  const fields = settingsOf(payload).map((setting) => ` --set ${shellWord(setting)}`);
  return `platformctl actions run ${service} ${action}${fields.join("")}`;
}

const maxSettingLength = 200;

function settingsOf(payload: JsonObject): string[] {
  return Object.entries(payload).flatMap(([key, value]) => {
    const text = `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    const isKey = /^[^.=\n\t]+$/.test(key);
    return isKey && text.length <= maxSettingLength && isPlainLine(text) ? [text] : [];
  });
}
