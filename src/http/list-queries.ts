// Finds errors in a list's query that its schema cannot find.

import type { z } from "zod";
import type { Issue } from "../domain/errors.ts";
import { maxIssues } from "../domain/limits.ts";
import { suggestion } from "../lib/nearest.ts";

export function listQueryIssues(
  schema: z.ZodObject,
  given: Record<string, unknown>,
  parsed: Record<string, unknown>,
): Issue[] {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(given).filter(
    (name) => name !== "" && given[name] !== undefined && !known.includes(name),
  );
  const issues = unknown.slice(0, maxIssues).map((name) => issueOf(name, known));
  const { from, to } = parsed;
  if (typeof from === "number" && typeof to === "number" && from > to) {
    issues.push({ path: "from", message: "is after `to`" });
  }
  return issues;
}

function issueOf(name: string, known: string[]): Issue {
  const message = `is not a filter of this list: ${suggestion(name, "filters", known)}`;
  return { path: name.slice(0, 100), message };
}
