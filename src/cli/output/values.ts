// Shows values from agents, such as results and states, to people.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import type { Io } from "../terminal/io.ts";
import { indented, printableLine, printableText } from "./printable.ts";
import { layOut } from "./table.ts";
import { aligned } from "./text-width.ts";
import { toYaml } from "./yaml.ts";

/** Objects with more keys than this are not shown as a table. */
const maxColumns = 12;

export function valueSection(io: Io, title: string, value: Json): string {
  return `\n${title}\n${indented(valueText(narrower(io), value))}`;
}

function valueText(io: Io, value: Json): string {
  if (typeof value === "string") return `${printableText(value)}\n`;
  if (isTable(value)) return tableText(io, value);
  if (!isJsonObject(value) || Object.keys(value).length === 0) return yamlText(value);
  return objectText(io, value);
}

/** Shows single values first, one per line. Values with several lines follow below their names. */
function objectText(io: Io, value: JsonObject): string {
  const entries = Object.entries(value);
  const single = entries.filter(([, inner]) => isSingle(inner));
  const others = entries.filter(([, inner]) => !isSingle(inner));
  const facts = aligned(
    single.map(([key, inner]) => [printableLine(key), singleText(inner)]),
    io.width,
  );
  const parts = others.map(([key, inner]) => {
    const isBlock = typeof inner === "string" || isTable(inner);
    const text = isBlock ? valueText(narrower(io), inner) : yamlText(inner);
    return `${printableLine(key)}\n${indented(text)}`;
  });
  return facts.map((line) => `${line}\n`).join("") + parts.join("");
}

function tableText(io: Io, rows: readonly JsonObject[]): string {
  const keys = keysOf(rows);
  const cell = (row: JsonObject, key: string) => {
    const inner = Object.hasOwn(row, key) ? row[key] : null;
    return inner === null || inner === undefined ? "-" : singleText(inner);
  };
  return gridText(
    io,
    keys.map((key) => printableLine(key)),
    rows.map((row) => keys.map((key) => cell(row, key))),
  );
}

/** The last column wraps, and the first is never cut. Without rows, the section is empty. */
export function tableSection(
  io: Io,
  title: string,
  heads: readonly string[],
  rows: string[][],
): string {
  if (rows.length === 0) return "";
  const columns = heads.map((head, at) => ({
    head: head.toUpperCase(),
    firm: at === 0,
    wraps: at === heads.length - 1,
  }));
  const grid = { columns, rows, headed: true, paint: (text: string) => text };
  return `\n${title}\n${indented(layOut(grid, narrower(io).width, false).text)}`;
}

export function gridText(io: Io, heads: readonly string[], rows: string[][]): string {
  const columns = heads.map((head) => ({ head: head.toUpperCase(), firm: false }));
  return layOut({ columns, rows, headed: true, paint: (text) => text }, io.width, false).text;
}

function isTable(value: Json): value is JsonObject[] {
  if (!Array.isArray(value) || !value.every(isJsonObject)) return false;
  const count = keysOf(value).length;
  return (
    count > 0 && count <= maxColumns && value.every((row) => Object.values(row).every(isSingle))
  );
}

function keysOf(rows: readonly JsonObject[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function isSingle(value: Json): boolean {
  if (typeof value === "string") return !value.includes("\n");
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function singleText(value: Json): string {
  if (typeof value === "string") return value === "" ? '""' : printableText(value);
  return JSON.stringify(value);
}

function yamlText(value: Json): string {
  return printableText(toYaml(value));
}

export function narrower(io: Io): Io {
  return io.width === undefined ? io : { ...io, width: Math.max(1, io.width - 2) };
}
