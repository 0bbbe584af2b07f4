// Prints a nested object for people. The ending of a field's name shows the unit of its value.

import { formatBytes } from "../../lib/bytes.ts";
import { formatDuration } from "../../lib/duration.ts";
import { wordsOf } from "../nouns/words.ts";
import type { Io } from "../terminal/io.ts";
import { type Column, isForPeople, type OutputOptions, printOne } from "./output.ts";
import { printableLine } from "./printable.ts";
import { aligned } from "./text-width.ts";

interface Fact {
  path: string[];
  value: string | number | boolean | null;
}

const indent = "  ";

/** `--columns` accepts dotted paths. `name` is what `-o name` prints. */
export function printFactSheet(io: Io, options: OutputOptions, sheet: object, name: string): void {
  if (isForPeople(options) && !options.columns) {
    const exact = options.output === "wide";
    io.out(blocksOf(sheet, exact, options.headers !== false));
    return;
  }
  const columns = factsOf(sheet, []).map(
    ({ path, value }): Column<object> => ({ name: path.join("."), value: () => value }),
  );
  printOne(io, options, sheet, { columns, nameOf: () => name });
}

function blocksOf(sheet: object, exact: boolean, headed: boolean): string {
  const blocks = Object.entries(sheet).map(([title, part]) => {
    const lines = linesOf(part, exact);
    const text = (lines.length > 0 ? aligned(lines) : ["-"]).map((line) => `${indent}${line}\n`);
    return (headed ? `${printableWords(title)}\n` : "") + text.join("");
  });
  return blocks.join("\n");
}

/** Returns the label and the text of each value in a part of a sheet. */
export function linesOf(part: unknown, exact: boolean): [label: string, text: string][] {
  const facts = part === null ? [] : factsOf(part, []);
  return facts.map(({ path, value }) => [
    labelOf(path, exact),
    shownAs(path.at(-1) ?? "", value, exact),
  ]);
}

function factsOf(value: unknown, path: string[]): Fact[] {
  if (Array.isArray(value)) return value.map((item) => lineOf(item, path));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => factsOf(inner, [...path, key]));
  }
  return [{ path, value: (value ?? null) as Fact["value"] }];
}

/** The first value of an object in a list becomes the label of its other values. */
function lineOf(item: unknown, path: string[]): Fact {
  const [first, ...others] = Object.values(item as object).map(String);
  return { path: [...path, first ?? ""], value: others.join("  ") };
}

/** Turns `residentBytes` in `memory` into "memory resident". Exact labels include the unit. */
function labelOf(path: string[], exact: boolean): string {
  const last = path.at(-1) ?? "";
  const bare = exact ? last : last.replace(unit, "");
  return [...path.slice(0, -1), bare || last].map(printableWords).join(" ");
}

function printableWords(name: string): string {
  return wordsOf(printableLine(name));
}

const unit = /(?:Bytes|Ms|Percent|Seconds)$/;

function shownAs(name: string, value: Fact["value"], exact: boolean): string {
  if (value === null || value === "") return "-";
  if (exact || typeof value !== "number") return printableLine(String(value));
  if (/Bytes(?:PerAgent)?$/.test(name)) return formatBytes(value);
  if (name.endsWith("Ms")) return `${value} ms`;
  if (name.endsWith("Percent")) return `${value} %`;
  if (name.endsWith("cpuSeconds")) return `${value.toFixed(1)}s`;
  return name.endsWith("Seconds") ? formatDuration(value) : String(value);
}
