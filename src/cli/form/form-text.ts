// Prints a form as a table of its fields and the values that they accept.

import type { JsonObject } from "../../domain/payload/json.ts";
import { section } from "../output/output.ts";
import { indented } from "../output/printable.ts";
import { gridText } from "../output/values.ts";
import type { Io } from "../terminal/io.ts";
import { type Field, type Form, readForm } from "./fields.ts";
import { pathLine, valueLine } from "./lines.ts";
import type { Path } from "./places.ts";
import { type PlacedField, valueWithoutSecrets } from "./walk.ts";
import { constraintsOf, typeOf } from "./words.ts";

export function formText(io: Io, schema: JsonObject, wide: boolean): string {
  const form = readForm(schema);
  if (form.whole) return section("input schema", schema);
  const lines = linesOf(form.fields, []);
  if (lines.length === 0) return "\nfields\n  none\n";
  const heads = ["field", "type", "required", "default", "constraints"];
  const more = wide ? ["title", "description"] : [];
  const width = io.width === undefined ? undefined : Math.max(1, io.width - 2);
  const rows = lines.map((line) => cellsOf(line).slice(0, heads.length + more.length));
  const table = gridText({ ...io, width }, [...heads, ...more], rows);
  const rest = form.tooMany
    ? "  The schema has more fields: -o json shows the whole schema.\n"
    : "";
  return `\nfields\n${indented(table)}${rest}`;
}

function cellsOf({ field, path }: PlacedField): string[] {
  const cells = [
    pathLine(path),
    typeOf(field),
    field.required ? "yes" : "no",
    defaultOf(field),
    constraintsOf(field),
    field.title,
    field.description,
  ];
  return cells.map((cell) => (cell === "" ? "-" : cell));
}

function linesOf(fields: Form["fields"], at: Path): PlacedField[] {
  return fields.flatMap((field) => {
    const path = [...at, field.key];
    const single = field.kind === "list" ? field.item : field;
    const parts = single.kind === "group" ? single.parts : [];
    const below = field.kind === "list" ? [...path, "N"] : path;
    return [{ field, path }, ...linesOf(parts, below)];
  });
}

function defaultOf(field: Field): string {
  const value = field.keywords.default;
  return value === undefined ? "" : valueLine(valueWithoutSecrets(field, value), 60);
}
