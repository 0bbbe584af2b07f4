// Checks an operator's payload against a schema from an agent. The schema is not trusted:
// references to other servers are not followed, and the check stops after a fixed time.
// (docs/decisions/0007-two-phase-actions.md)

import { dereference, format, validate } from "@cfworker/json-schema";
import { withinTime } from "../../lib/within-time.ts";
import { AppError, type Issue } from "../errors.ts";
import { maxIssues } from "../limits.ts";
import { issueOf } from "./issue-words.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { leavesOf } from "./validation-units.ts";

/**
 * How long a check may take: longer than almost any honest schema needs, and short enough for an
 * event loop.
 */
const maxCheckMs = 50;
/** Limits the validator's findings, which also include the keywords that contain a problem. */
const maxUnits = 500;
/** Compiling a pattern cannot be interrupted, and takes a second for 60,000 characters. */
const maxPatternLength = 500;
/** Longer texts are cut: messages may quote the schema, and paths may quote the payload. */
const maxTextLength = 500;

// Replaces the validator's own check, which would compile patterns of any length.
format.regex = isShortPattern;

/** The name under which a part is added to its schema, so that the part's references work. */
const partName = "the part that is checked";

/** Returns null or PAYLOAD_INVALID with `details.issues`, whose paths are dotted. */
export function problemOfPayload(payload: JsonObject, schema: JsonObject): AppError | null {
  const { issues } = findIssues(payload, schema);
  return issues.length > 0 ? invalid(issues) : null;
}

/** Throws what `problemOfPayload` returns. */
export function checkPayload(payload: JsonObject, schema: JsonObject): void {
  const problem = problemOfPayload(payload, schema);
  if (problem !== null) throw problem;
}

export interface Findings {
  issues: Issue[];
  /** Whether the schema can be used. If not, no payload would match. */
  usable: boolean;
}

export function findIssues(payload: JsonObject, schema: JsonObject): Findings {
  let first: Issue[] = [];
  const checkMs = isQuick(payload, schema) ? Infinity : maxCheckMs;
  const checked = withinTime(checkMs, () => {
    refuseLongPatterns(schema);
    first = issuesOf(payload, schema, true);
    return first.length === 0 ? first : issuesOf(payload, schema, false);
  });
  if (checked.outcome === "done") {
    return { issues: checked.value, usable: true };
  }
  // There was not enough time to find all issues, but there is at least one.
  if (first.length > 0) return { issues: first, usable: true };
  const message =
    checked.outcome === "late"
      ? "checking it against the action's schema takes too long"
      : `the action's schema cannot be used: ${cut((checked.error as Error).message)}`;
  return { issues: [{ path: "", message }], usable: false };
}

/** The time that these keywords take depends on more than the number of values. */
const slowKeywords = new Set([
  ...["pattern", "patternProperties", "format", "uniqueItems", "multipleOf"],
  ...["$ref", "$dynamicRef", "$recursiveRef"],
]);
/**
 * A step checks one value, or 64 characters, against one part of a schema. It takes about a
 * microsecond.
 */
const quickSteps = 5_000;

/** Whether the check certainly takes only milliseconds, so that no timer is needed. */
function isQuick(payload: JsonObject, schema: JsonObject): boolean {
  return sizeOf(schema, slowKeywords) * sizeOf(payload, new Set()) <= quickSteps;
}

/**
 * Counts values. Returns Infinity if there are too many, or if an object has one of the excluded
 * keys.
 */
function sizeOf(whole: Json, excluded: ReadonlySet<string>): number {
  const values = [whole];
  let characters = 0;
  // The list grows while it is read.
  for (const value of values) {
    if (values.length > quickSteps) return Infinity;
    if (typeof value === "string") characters += value.length;
    if (typeof value !== "object" || value === null) continue;
    const keys = Object.keys(value);
    if (keys.length > quickSteps) return Infinity;
    for (const key of keys) {
      if (excluded.has(key)) return Infinity;
      characters += key.length;
    }
    for (const member of Object.values(value)) values.push(member);
  }
  return values.length + characters / 64;
}

/** Returns null if there is no obvious problem. Some problems appear only with certain payloads. */
export function problemOfSchema(schema: JsonObject): string | null {
  const checked = withinTime(maxCheckMs, () => {
    refuseLongPatterns(schema);
    compilePatterns(schema);
    issuesOf({}, schema, true);
  });
  return checked.outcome === "threw" ? cut((checked.error as Error).message) : null;
}

/**
 * Returns what is wrong with one value according to a part of a schema, such as a form's field.
 * Returns null if nothing is wrong, or if the part alone cannot decide: the whole payload is
 * checked at the end.
 */
export function problemOfPart(value: Json, part: Json, whole: JsonObject): string | null {
  if (typeof part !== "boolean" && !isJsonObject(part)) return null;
  const checked = withinTime(maxCheckMs, () => {
    refuseLongPatterns(whole);
    const known = isJsonObject(whole.$defs) ? whole.$defs : {};
    const lookup = dereference({ ...whole, $defs: { ...known, [partName]: part } });
    return findWith(lookup, value, part, true)[0] ?? null;
  });
  if (checked.outcome !== "done" || checked.value === null) return null;
  const { path, message } = checked.value;
  return path ? `${path}: ${message}` : message;
}

/** Searches everywhere in a schema, even inside values, because references can lead there. */
function refuseLongPatterns(schema: Json): void {
  eachPattern(schema, [], (pattern) => {
    if (pattern.length <= maxPatternLength) return;
    throw new Error(`a pattern has more than ${maxPatternLength} characters`);
  });
}

/** Skips values, which may have a member that is called `pattern`. */
function compilePatterns(schema: Json): void {
  eachPattern(schema, ["enum", "const", "default"], (pattern) => void new RegExp(pattern, "u"));
}

function eachPattern(
  schema: Json,
  excluded: readonly string[],
  visit: (pattern: string) => void,
): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "pattern" && typeof value === "string") visit(value);
    if (keyword === "patternProperties") for (const each of Object.keys(value ?? {})) visit(each);
    if (!excluded.includes(keyword)) eachPattern(value, excluded, visit);
  }
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
  return findWith(dereference(schema), payload, schema, firstOnly);
}

function findWith(
  lookup: ReturnType<typeof dereference>,
  value: Json,
  schema: JsonObject | boolean,
  firstOnly: boolean,
): Issue[] {
  const { errors } = validate(value, schema, "2020-12", lookup, firstOnly);
  const leaves = leavesOf(errors.slice(0, maxUnits)).slice(0, maxIssues);
  return leaves
    .map((unit) => issueOf(unit, schema, lookup))
    .map(({ path, message }) => ({ path: cut(path), message: cut(message) }));
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function invalid(issues: Issue[]): AppError {
  return new AppError("PAYLOAD_INVALID", mismatchMessage(issues), { details: { issues } });
}

export function mismatchMessage([first]: readonly Issue[]): string {
  const where = first?.path ? `${first.path}: ` : "";
  return `The payload does not match the action's schema: ${where}${first?.message}`;
}
