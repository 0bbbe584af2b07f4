// A form as a table to read: which fields there are, and what they take.

import type { JsonObject } from "../../domain/json.ts";
import type { Io } from "../io.ts";
import { section, tableOf, type View } from "../output.ts";
import { type Field, type Form, readForm } from "./fields.ts";
import { pathLine, valueLine } from "./lines.ts";
import type { Path } from "./places.ts";
import { constraintsOf, typeOf } from "./words.ts";

interface Line {
  field: Field;
  path: Path;
}

const fieldView: View<Line> = {
  columns: [
    { name: "field", value: ({ path }) => pathLine(path), kind: "key" },
    { name: "type", value: ({ field }) => typeOf(field) },
    { name: "required", value: ({ field }) => (field.required ? "yes" : "no") },
    { name: "default", value: ({ field }) => defaultOf(field) },
    { name: "constraints", value: ({ field }) => constraintsOf(field) },
    { name: "title", value: ({ field }) => field.title, wide: true },
    { name: "description", value: ({ field }) => field.description, wide: true },
  ],
  nameOf: ({ path }) => pathLine(path),
};

/** With an empty line before; `wide` shows titles and descriptions too. A schema that is no form: as YAML. */
export function formText(io: Io, schema: JsonObject, wide: boolean): string {
  const form = readForm(schema);
  if (form.whole) return section("input schema", schema);
  const lines = linesOf(form.fields, []);
  if (lines.length === 0) return "\nfields\n  none\n";
  const width = io.width === undefined ? undefined : Math.max(1, io.width - 2);
  const { text: table } = tableOf(
    { ...io, width },
    wide ? { output: "wide" } : {},
    lines,
    fieldView,
  );
  const more = form.tooMany ? "  There are more; -o json shows the whole schema.\n" : "";
  return `\nfields\n${table.replace(/^/gm, "  ").trimEnd()}\n${more}`;
}

function linesOf(fields: Form["fields"], at: Path): Line[] {
  return fields.flatMap((field) => {
    const path = [...at, field.key];
    const parts =
      field.kind === "group"
        ? field.parts
        : field.kind === "list" && field.item.kind === "group"
          ? field.item.parts
          : [];
    const below = field.kind === "list" ? [...path, "N"] : path;
    return [{ field, path }, ...linesOf(parts, below)];
  });
}

function defaultOf({ kind, keywords }: Field): string | null {
  const value = keywords.default;
  if (value === undefined) return null;
  return kind === "secret" ? "********" : valueLine(value, 60);
}
