// This program's messages for Zod's issues. They follow the path of a field: `name: must not be
// empty`. Messages that a schema itself defines take precedence.

import type { z } from "zod";
import { counted } from "../../lib/counted.ts";
import { nearest } from "../../lib/nearest.ts";

type RawIssue = z.core.$ZodRawIssue;

/** For the second argument of `safeParse`. */
export const withIssueWords = { error: issueWords };

const types: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  null: "null",
};

const formats: Record<string, string> = {
  datetime: "a time such as 2026-01-31T12:00:00Z",
  date: "a date such as 2026-01-31",
  url: "a URL",
  email: "an email address",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
};

/** Returns undefined for an issue that has no message here, so that Zod's own message is used. */
function issueWords(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case "invalid_value": {
      const values = issue.values.map(String).join(", ");
      const must = `must be ${issue.values.length === 1 ? "" : "one of "}${values}`;
      if (issue.input === undefined) return `is required, and ${must}`;
      const meant = nearestOf(issue.input, issue.values.map(String));
      return meant === null ? must : `${must}; did you mean ${meant}?`;
    }
    case "too_small":
      return bound(issue, Number(issue.minimum), ["at least", "more than"]);
    case "too_big":
      return bound(issue, Number(issue.maximum), ["at most", "less than"]);
    case "invalid_format": {
      const { format, pattern } = issue;
      if (format === "regex" && pattern !== undefined) return `must match the pattern ${pattern}`;
      return formats[format] === undefined ? undefined : `must be ${formats[format]}`;
    }
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return "has none of the accepted forms";
    default:
      return undefined;
  }
}

const longestWord = 50;

function nearestOf(input: unknown, values: readonly string[]): string | null {
  const isWord = typeof input === "string" && input !== "" && input.length <= longestWord;
  return isWord && values.length > 1 ? nearest(input, values) : null;
}

const units: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

function bound(
  {
    origin,
    inclusive,
    exact,
    code,
  }: RawIssue & { origin: string; inclusive?: boolean; exact?: boolean },
  limit: number,
  [including, excluding]: readonly [string, string],
): string {
  const how = exact ? "exactly" : inclusive === false ? excluding : including;
  const unit = units[origin];
  if (unit === undefined) return `must be ${how} ${limit}`;
  if (code === "too_small" && limit === 1) return "must not be empty";
  return `must have ${how} ${counted(limit, ...unit)}`;
}
