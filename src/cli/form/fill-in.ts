// Completes a payload: asks for missing values, or reports them if there is no terminal.

import type { Issue } from "../../domain/errors.ts";
import { isCovered, type Path, valueAt } from "../../domain/form/places.ts";
import { checkPayload, findIssues, problemOfPart } from "../../domain/payload/check.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { CliError, exit } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { askChoice } from "../terminal/prompts.ts";
import { askField, askFields, type Filling } from "./ask.ts";
import { lineOf, pathLine } from "./lines.ts";
import { type TerminalForm, terminalForm } from "./terminal-form.ts";
import { fieldAt, missingPlaces, type PlacedField, placeOfIssue } from "./walk.ts";
import { complaintOf, wantedOf } from "./words.ts";

export function asksAnything(form: TerminalForm, given: readonly Path[]): boolean {
  if (form.whole) return given.length === 0;
  return form.fields.some((field) => field.kind !== "fixed" && !isCovered([field.key], given));
}

/** Throws PAYLOAD_INVALID before the first question if no payload can match the schema. */
export async function fillIn(
  io: Io,
  form: TerminalForm,
  payload: JsonObject,
  given: readonly Path[],
): Promise<JsonObject> {
  const filling: Filling = { io, schema: form.schema, payload, given };
  issuesOf(filling);
  if (form.whole) await askField(filling, form.whole, []);
  else await askFields(filling, form.fields, []);
  for (let issues = issuesOf(filling); issues.length > 0; issues = issuesOf(filling)) {
    io.note("The payload does not match the action's schema yet:\n");
    for (const { path, message } of issues) {
      io.note(`> ${pathLine(path === "" ? [] : [path])}: ${lineOf(message)}\n`);
    }
    // Values from `--set` may be wrong, too, so the user can change them.
    filling.given = [];
    // The answers may have made other fields necessary.
    const now = terminalForm(form.schema, filling.payload);
    for (const { field, path } of await placesToMend(now, issues)) {
      await askField(filling, field, path);
    }
  }
  return filling.payload;
}

/** Throws an error that names missing values, or else the other problems of the payload. */
export function requireValid(form: TerminalForm, payload: JsonObject): void {
  requireComplete(form, payload, ", and there is no terminal to prompt on");
  checkPayload(payload, form.schema);
}

/**
 * Throws a usage error that names missing values. `why` says why the command does not ask for them.
 */
export function requireComplete(form: TerminalForm, payload: JsonObject, why: string): void {
  const missing = missingPlaces(form, payload);
  if (missing.length > 0) throw missingValues(missing, why);
}

/** Throws a usage error for the first `--set` value that is not valid for its field. */
export function checkGiven(form: TerminalForm, payload: JsonObject, given: readonly Path[]): void {
  for (const path of given) {
    const field = fieldAt(form, path);
    const value = valueAt(payload, path);
    if (!field || value === undefined) continue;
    const problem = problemOfPart(value, field.schema, form.schema);
    if (problem === null) continue;
    const issues = [{ path: path.join("."), message: problem }];
    throw invalidPayload(`--set ${pathLine(path)}: ${complaintOf(field, problem)}`, issues);
  }
}

/** If the issues belong to no known field, the user chooses a field. */
async function placesToMend(form: TerminalForm, issues: readonly Issue[]): Promise<PlacedField[]> {
  const places = new Map<string, PlacedField>();
  for (const { path } of issues) {
    const place = placeOfIssue(form, path);
    if (place && place.field.kind !== "fixed") places.set(place.path.join("."), place);
  }
  return places.size > 0 ? [...places.values()] : [await choosePlace(form)];
}

async function choosePlace(form: TerminalForm): Promise<PlacedField> {
  const all: PlacedField = { field: form.json, path: [] };
  const fields = form.fields.filter(({ kind }) => kind !== "fixed");
  const places: PlacedField[] = [...fields.map((field) => ({ field, path: [field.key] })), all];
  if (places.length === 1) return all;
  const chosen = await askChoice({
    message: "Which field do you want to change?",
    choices: places.map(({ path }, value) => ({ name: pathLine(path), value })),
  });
  return places[chosen] ?? all;
}

function issuesOf({ payload, schema }: Filling): Issue[] {
  const { issues, usable } = findIssues(payload, schema);
  if (!usable) checkPayload(payload, schema);
  return issues;
}

const maxNamed = 10;

function missingValues(missing: readonly PlacedField[], why: string): CliError {
  const issues = missing.map(({ field, path }) => ({
    path: path.join("."),
    message: `required: ${wantedOf(field)}`,
  }));
  const shown = missing.slice(0, maxNamed).map(({ field, path }) => {
    return `\n  --set ${pathLine(path)}=… (${wantedOf(field)})`;
  });
  const more = missing.length > maxNamed ? `\n  and ${missing.length - maxNamed} more` : "";
  const values = missing.length === 1 ? "a value" : `${missing.length} values`;
  const message = `the action needs ${values}${why}. Provide:`;
  return invalidPayload(message + shown.join("") + more, issues);
}

/** Returns the server's error for an invalid payload, as a usage error. */
export function invalidPayload(message: string, issues: Issue[]): CliError {
  return new CliError(exit.usage, message, { code: "PAYLOAD_INVALID", details: { issues } });
}
