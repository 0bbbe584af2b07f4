// Checks an operator's payload against a schema that came from an agent, which is not trusted: an
// interpreting validator, no remote references, and an end to it after a fixed time.
// (`decisions.md` 5: execute)

import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { withinTime } from "../lib/within-time.ts";
import { AppError, type Issue } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** Longer than any honest schema takes, short enough for an event loop. */
const checkMs = 50;
const maxIssues = 50;

/** Throws PAYLOAD_INVALID with `details.issues`; paths are dotted. */
export function checkPayload(payload: JsonObject, schema: JsonObject): void {
  const checked = withinTime(checkMs, () => validate(payload, schema));
  if (checked.outcome === "late") {
    throw invalid([{ path: "", message: "the action's schema takes too long to check" }]);
  }
  if (checked.outcome === "threw") {
    const reason = (checked.error as Error).message;
    throw invalid([{ path: "", message: `the action's schema cannot be used: ${reason}` }]);
  }
  if (checked.value.length > 0) throw invalid(checked.value.slice(0, maxIssues).map(toIssue));
}

function validate(payload: JsonObject, schema: JsonObject): OutputUnit[] {
  return new Validator(schema, "2020-12", false).validate(payload).errors.filter(isLeaf);
}

/** The units that only say that something deeper failed are left out. */
function isLeaf(unit: OutputUnit, _index: number, all: OutputUnit[]): boolean {
  return !all.some(
    (other) =>
      other !== unit &&
      other.keywordLocation.startsWith(`${unit.keywordLocation}/`) &&
      other.instanceLocation.startsWith(unit.instanceLocation),
  );
}

function toIssue(unit: OutputUnit): Issue {
  const path = unit.instanceLocation
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
  return { path, message: unit.error };
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
