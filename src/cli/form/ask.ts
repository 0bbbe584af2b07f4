// Asks for a form's fields one by one, and puts the answers into the payload.

import { type Field, type FieldOf, limitOf } from "../../domain/form/form.ts";
import {
  hasPartOf,
  isCovered,
  type Path,
  putAt,
  removeAt,
  valueAt,
} from "../../domain/form/places.ts";
import { withDefaults } from "../../domain/form/values.ts";
import { problemOfPart } from "../../domain/payload/check.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { secretMarks, shownPayload } from "../../domain/secrets/hidden.ts";
import type { Io } from "../terminal/io.ts";
import { askYesNo } from "../terminal/prompts.ts";
import { type Answer, askFlag, askOneOf, askSecret, askSomeOf, askTyped } from "./ask-value.ts";
import { lineOf, pathLine, valueLine } from "./lines.ts";
import { isHidden, stars } from "./terminal-form.ts";
import { complaintOf, labelOf, wantedOf } from "./words.ts";

export interface Filling {
  io: Io;
  schema: JsonObject;
  payload: JsonObject;
  /** The form does not ask for these paths, because `--set` has set them. */
  given: readonly Path[];
}

export async function askFields(filling: Filling, fields: readonly Field[], at: Path) {
  for (const field of fields) await askField(filling, field, [...at, field.key]);
}

/** The empty path is the whole payload. */
export async function askField(filling: Filling, field: Field, path: Path): Promise<void> {
  if (isCovered(path, filling.given)) return;
  switch (field.kind) {
    case "fixed":
      return keepFixed(filling, field, path);
    case "group":
      return askGroup(filling, field, path);
    case "list":
      return askList(filling, field, path);
    default:
      return put(filling, path, await askValue(filling, field, path, labelOf(field, path)));
  }
}

function askValue(filling: Filling, field: Field, path: Path, label: string): Promise<Answer> {
  describe(filling, field);
  const { schema: whole } = filling;
  const rest = { label, current: valueAt(filling.payload, path), whole };
  if (isHidden(field)) return askSecret({ field, ...rest });
  switch (field.kind) {
    case "flag":
      return askFlag({ field, ...rest });
    case "choice":
      return askOneOf({ field, ...rest });
    case "choices":
      return askSomeOf({ field, ...rest });
    default:
      return askTyped({ field, ...rest });
  }
}

function keepFixed(filling: Filling, field: FieldOf<"fixed">, path: Path): void {
  if (!field.required && valueAt(filling.payload, path) === undefined) return;
  putAt(filling.payload, path, field.value);
  filling.io.note(`  ${pathLine(path)}: ${wantedOf(field)}\n`);
}

async function askGroup(filling: Filling, field: FieldOf<"group">, path: Path): Promise<void> {
  const { payload, given } = filling;
  if (!isJsonObject(valueAt(payload, path))) {
    const wanted = (field.required && !field.nullable) || hasPartOf(path, given);
    describe(filling, field);
    if (!wanted && !(await askYesNo(`Fill in ${labelOf(field, path)}?`, false))) {
      return put(filling, path, field.required ? null : undefined);
    }
    putAt(payload, path, structuredClone(withDefaults(field, {}) ?? {}));
  }
  await askFields(filling, field.parts, path);
}

/** Skips a list that has items from `--set`. */
async function askList(filling: Filling, field: FieldOf<"list">, path: Path): Promise<void> {
  const { io, payload, given, schema } = filling;
  if (hasPartOf(path, given)) return;
  describe(filling, field);
  const before = valueAt(payload, path);
  if (Array.isArray(before) && before.length > 0) {
    const isGood = problemOfPart(before, field.schema, schema) === null;
    const label = labelOf(field, path);
    const shown = valueAt(shownPayload(payload, secretMarks(schema), stars), path) ?? null;
    if (isGood && (await askYesNo(`${label}: keep ${valueLine(shown, 60)}?`, true))) return;
  }
  while (true) {
    putAt(payload, path, []);
    const count = await askItems(filling, field, path);
    if (count === 0 && before === undefined && !field.required) return removeAt(payload, path);
    const items = valueAt(payload, path) ?? [];
    const problem = problemOfPart(items, field.schema, schema);
    if (problem === null) return;
    io.note(`> ${pathLine(path)}: ${complaintOf(field, problem)}\n`);
  }
}

/** Returns the number of items. */
async function askItems(filling: Filling, field: FieldOf<"list">, path: Path): Promise<number> {
  const least = limitOf(field, "minItems") ?? 0;
  const most = limitOf(field, "maxItems") ?? Infinity;
  const { item } = field;
  const isTyped = item.kind === "text" || item.kind === "number" || isHidden(item);
  for (let count = 0; ; count++) {
    if (count >= most) return count;
    const place = [...path, String(count)];
    if (isTyped) {
      const optional = count < least ? item : { ...item, required: false, nullable: false };
      const ends = count < least ? "" : "; leave empty to end the list";
      const label = `${pathLine(place)} (${wantedOf(item)}${ends})`;
      const answer = await askValue(filling, optional, place, label);
      if (answer === undefined) return count;
      putAt(filling.payload, place, answer);
    } else {
      const more = count === 0 ? "Add an item to" : "Add another item to";
      if (count >= least && !(await askYesNo(`${more} ${pathLine(path)}?`, false))) return count;
      await askField(filling, { ...item, required: true }, place);
    }
  }
}

function put(filling: Filling, path: Path, answer: Answer): void {
  if (answer === undefined) removeAt(filling.payload, path);
  else if (path.length > 0) putAt(filling.payload, path, answer);
  else if (isJsonObject(answer)) filling.payload = answer;
}

function describe({ io }: Filling, { description }: Field): void {
  if (description) io.note(`  ${lineOf(description)}\n`);
}
