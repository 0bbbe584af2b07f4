// Checks an operator's payload against a schema that came from an agent, which is not trusted: an
// interpreting validator, no remote references, and an end to it after a fixed time.
// (`decisions.md` 5: execute)

import { format, type OutputUnit, Validator } from "@cfworker/json-schema";
import { withinTime } from "../lib/within-time.ts";
import { AppError, type Issue } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

/** Longer than nearly any honest schema takes, short enough for an event loop. */
const checkMs = 50;
const maxIssues = 50;
/** Of what the validator found, so many are looked at: each leaf comes with all that is above it. */
const maxUnits = 500;
/** Compiling a pattern cannot be interrupted: one of 60,000 characters takes a second. */
const maxPatternLength = 500;
/** A message may quote the schema, a path the payload: neither may swell the answer. */
const maxTextLength = 500;

// The validator's own would compile a pattern of any length.
format.regex = isShortPattern;

/** Throws PAYLOAD_INVALID with `details.issues`; paths are dotted. */
export function checkPayload(payload: JsonObject, schema: JsonObject): void {
  let first: Issue[] = [];
  const checked = withinTime(checkMs, () => {
    refuseLongPatterns(schema);
    first = issuesOf(payload, schema, true);
    return first.length === 0 ? first : issuesOf(payload, schema, false);
  });
  if (checked.outcome === "done") {
    if (checked.value.length > 0) throw invalid(checked.value);
    return;
  }
  // Wrong in one place for certain, though all places could not be found.
  if (first.length > 0) throw invalid(first);
  if (checked.outcome === "late") {
    throw invalid([
      { path: "", message: "checking it against the action's schema takes too long" },
    ]);
  }
  const reason = cut((checked.error as Error).message);
  throw invalid([{ path: "", message: `the action's schema cannot be used: ${reason}` }]);
}

function refuseLongPatterns(schema: Json): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "pattern") refuseLong(value);
    if (keyword === "patternProperties") Object.keys(value ?? {}).forEach(refuseLong);
    refuseLongPatterns(value);
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
  return errors.slice(0, maxUnits).filter(isLeaf).slice(0, maxIssues).map(toIssue);
}

/** The units that only say that something deeper failed are left out. */
function isLeaf(unit: OutputUnit, _index: number, all: OutputUnit[]): boolean {
  const below = `${unit.keywordLocation}/`;
  return !all.some(
    (other) =>
      other !== unit &&
      other.keywordLocation.startsWith(below) &&
      other.instanceLocation.startsWith(unit.instanceLocation),
  );
}

function toIssue(unit: OutputUnit): Issue {
  const path = unit.instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
  return { path: cut(path), message: cut(unit.error) };
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function invalid(issues: Issue[]): AppError {
  const first = issues[0];
  const where = first?.path ? `${first.path}: ` : "";
  return new AppError(
    "PAYLOAD_INVALID",
    `The payload does not fit the action: ${where}${first?.message}`,
    {
      details: { issues },
    },
  );
}
