// Checks an operator's payload against a schema that came from an agent, which is not trusted: an
// interpreting validator, no remote references, and an end to it after a fixed time.
// (docs/decisions/0007-two-phase-actions.md)

import { dereference, format, type OutputUnit, Validator, validate } from "@cfworker/json-schema";
import { withinTime } from "../../lib/within-time.ts";
import { AppError, type Issue } from "../errors.ts";
import { maxIssues } from "../limits.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { instancePath, leavesOf } from "./validation-units.ts";

/** Longer than nearly any honest schema takes, short enough for an event loop. */
const checkMs = 50;
/** Of what the validator found, so many are looked at: each leaf comes with all that is above it. */
const maxUnits = 500;
/** Compiling a pattern cannot be interrupted: one of 60,000 characters takes a second. */
const maxPatternLength = 500;
/** A message may quote the schema, a path the payload: neither may swell the answer. */
const maxTextLength = 500;

// The validator's own would compile a pattern of any length.
format.regex = isShortPattern;

/** Under this name a part is put into its whole, so that its references lead where they did. */
const partName = "the part that is checked";

/** Throws PAYLOAD_INVALID with `details.issues`; paths are dotted. */
export function checkPayload(payload: JsonObject, schema: JsonObject): void {
  const { issues } = findIssues(payload, schema);
  if (issues.length > 0) throw invalid(issues);
}

export interface Findings {
  issues: Issue[];
  /** False when the schema is at fault: whatever the payload, it would not be found to fit. */
  usable: boolean;
}

/** What `checkPayload` would say. */
export function findIssues(payload: JsonObject, schema: JsonObject): Findings {
  let first: Issue[] = [];
  const checked = withinTime(checkMs, () => {
    refuseLongPatterns(schema);
    first = issuesOf(payload, schema, true);
    return first.length === 0 ? first : issuesOf(payload, schema, false);
  });
  if (checked.outcome === "done") return { issues: checked.value, usable: true };
  // Wrong in one place for certain, though all places could not be found.
  if (first.length > 0) return { issues: first, usable: true };
  const message =
    checked.outcome === "late"
      ? "checking it against the action's schema takes too long"
      : `the action's schema cannot be used: ${cut((checked.error as Error).message)}`;
  return { issues: [{ path: "", message }], usable: false };
}

/**
 * Why no payload could be checked against this schema; null when none is seen. What only some payloads
 * bring to light, and what takes too long, is not found.
 */
export function problemOfSchema(schema: JsonObject): string | null {
  const checked = withinTime(checkMs, () => {
    refuseLongPatterns(schema);
    compilePatterns(schema);
    issuesOf({}, schema, true);
  });
  return checked.outcome === "threw" ? cut((checked.error as Error).message) : null;
}

/**
 * What is wrong with one value for one part of a schema, such as a field of a form; null when nothing is, and
 * also when it cannot be told of the part alone: the whole payload is checked in the end.
 */
export function problemOfPart(value: Json, part: Json, whole: JsonObject): string | null {
  if (typeof part !== "boolean" && !isJsonObject(part)) return null;
  const checked = withinTime(checkMs, () => {
    refuseLongPatterns(whole);
    const known = isJsonObject(whole.$defs) ? whole.$defs : {};
    const lookup = dereference({ ...whole, $defs: { ...known, [partName]: part } });
    const { errors } = validate(value, part, "2020-12", lookup, true);
    return leavesOf(errors.slice(0, maxUnits)).map(toIssue)[0] ?? null;
  });
  if (checked.outcome !== "done" || checked.value === null) return null;
  const { path, message } = checked.value;
  return path ? `${path}: ${message}` : message;
}

function refuseLongPatterns(schema: Json): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "pattern") refuseLong(value);
    if (keyword === "patternProperties") Object.keys(value ?? {}).forEach(refuseLong);
    refuseLongPatterns(value);
  }
}

/** Where they stand for patterns; a property may have that name, too. */
function compilePatterns(schema: Json): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "pattern" && typeof value === "string") new RegExp(value, "u");
    if (keyword === "patternProperties") {
      for (const pattern of Object.keys(value ?? {})) new RegExp(pattern, "u");
    }
    if (keyword !== "enum" && keyword !== "const" && keyword !== "default") compilePatterns(value);
  }
}

function refuseLong(pattern: Json): void {
  if (typeof pattern !== "string" || pattern.length <= maxPatternLength) return;
  throw new Error(`a pattern has more than ${maxPatternLength} characters`);
}

function isShortPattern(text: string): boolean {
  if (text.length > maxPatternLength) return false;
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

function issuesOf(payload: JsonObject, schema: JsonObject, firstOnly: boolean): Issue[] {
  const { errors } = new Validator(schema, "2020-12", firstOnly).validate(payload);
  return leavesOf(errors.slice(0, maxUnits)).slice(0, maxIssues).map(toIssue);
}

function toIssue(unit: OutputUnit): Issue {
  return { path: cut(instancePath(unit).join(".")), message: cut(unit.error) };
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function invalid(issues: Issue[]): AppError {
  const first = issues[0];
  const where = first?.path ? `${first.path}: ` : "";
  return new AppError(
    "PAYLOAD_INVALID",
    `The payload does not match the action: ${where}${first?.message}`,
    {
      details: { issues },
    },
  );
}
