// Prints a form as a table of its fields and the values that they accept.

import type { Field } from "../../domain/form/form.ts";
import type { Path } from "../../domain/form/places.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { secretMarks, shownPayload } from "../../domain/secrets/hidden.ts";
import type { Marks } from "../../domain/secrets/secret-marks.ts";
import { section } from "../output/output.ts";
import { indented } from "../output/printable.ts";
import { gridText, narrower } from "../output/values.ts";
import type { Io } from "../terminal/io.ts";
import { lineOf, pathLine, valueLine } from "./lines.ts";
import { stars, terminalForm } from "./terminal-form.ts";
import { constraintsOf, typeOf } from "./words.ts";

export function formText(io: Io, schema: JsonObject, wide: boolean): string {
  const form = terminalForm(schema);
  if (form.whole) return section("input schema", schema);
  const lines = linesOf(form.fields, [], secretMarks(schema));
  if (lines.length === 0) return "\nfields\n  none\n";
  const heads = ["field", "type", "required", "default", "constraints"];
  const more = wide ? ["title", "description"] : [];
  const rows = lines.map((line) => cellsOf(line).slice(0, heads.length + more.length));
  const table = gridText(narrower(io), [...heads, ...more], rows);
  const rest = form.tooMany
    ? "  The schema has more fields: -o json shows the whole schema.\n"
    : "";
  return `\nfields\n${indented(table)}${rest}`;
}

interface Line {
  field: Field;
  path: Path;
  /** Which parts of the object that contains the field are marked as secret. */
  marks: Marks;
}

function cellsOf({ field, path, marks }: Line): string[] {
  const cells = [
    pathLine(path),
    typeOf(field),
    field.required ? "yes" : "no",
    defaultOf(field, marks),
    constraintsOf(field),
    lineOf(field.title),
    lineOf(field.description),
  ];
  return cells.map((cell) => (cell === "" ? "-" : cell));
}

function linesOf(fields: readonly Field[], at: Path, marks: Marks): Line[] {
  return fields.flatMap((field) => {
    const path = [...at, field.key];
    const own = marks.at(field.key, false);
    const isList = field.kind === "list";
    const single = isList ? field.item : field;
    const parts = single.kind === "group" ? single.parts : [];
    const [below, within] = isList ? [[...path, "N"], own.at("0", true)] : [path, own];
    return [{ field, path, marks }, ...linesOf(parts, below, within)];
  });
}

function defaultOf({ key, keywords }: Field, marks: Marks): string {
  if (keywords.default === undefined) return "";
  const shown = shownPayload({ [key]: keywords.default }, marks, stars);
  return valueLine(shown[key] ?? null, 60);
}
