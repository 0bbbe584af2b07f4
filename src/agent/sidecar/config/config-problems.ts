// Turns the schema's issues into sentences for the author of agent.yaml.

import type { z } from "zod";
import type { YamlSource } from "../../../lib/json/yaml-source.ts";
import { suggestion } from "../../../lib/nearest.ts";
import { fieldsAt } from "./config-fields.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The message follows the path: "must be text". */
export interface Finding {
  path: Path;
  message: string;
}

export function findingsOf(issues: readonly Issue[], source: YamlSource): Finding[] {
  return issues.flatMap((issue) => findings(issue, [], source));
}

function findings(issue: Issue, before: Path, source: YamlSource): Finding[] {
  const path = [...before, ...issue.path];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => strange(path, key));
  if (issue.code === "invalid_union") {
    const meant = branchMeant(issue.errors);
    if (meant) return meant.flatMap((inner) => findings(inner, path, source));
  }
  const value = valueAt(source.value, path);
  if (value === undefined) return [{ path, message: "is missing" }];
  if (value === null) return [{ path, message: "is empty: set a value or remove the field" }];
  return [{ path, message: messageOf(issue) + quotesFor(issue, value, source.writtenAt(path)) }];
}

function strange(path: Path, key: string): Finding {
  const hint = suggestion(key, "fields", fieldsAt(path));
  return { path: [...path, key], message: `unknown field; ${hint}` };
}

/** Returns the alternative of a union that the value seems to match; null if that is not clear. */
function branchMeant(branches: readonly Issue[][]): Issue[] | null {
  const ofKind = branches.filter((issues) => !issues.some(isOtherKind));
  const [only, ...others] =
    ofKind.length > 1 ? ofKind.filter((issues) => !issues.some(isStrangeField)) : ofKind;
  return only && others.length === 0 ? only : null;
}

function isStrangeField({ code }: Issue): boolean {
  return code === "unrecognized_keys";
}

function isOtherKind({ code, path }: Issue): boolean {
  return code === "invalid_type" && path.length === 0;
}

const kinds: Record<string, string> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be a mapping of fields to values",
  record: "must be a mapping of names to values",
};

function messageOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return isOurs(issue) ? issue.message : (kinds[issue.expected] ?? issue.message);
    case "too_small":
      return isOurs(issue) ? issue.message : `must be at least ${issue.minimum}${unitOf(issue)}`;
    case "too_big":
      return isOurs(issue) ? issue.message : `must be at most ${issue.maximum}${unitOf(issue)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_key":
      return `the name "${String(issue.path.at(-1))}" ${issue.issues.map(messageOf).join(", ")}`;
    default:
      return issue.message;
  }
}

/** Other messages come from zod. */
function isOurs({ message }: Issue): boolean {
  return message.startsWith("must ");
}

function unitOf({ origin }: { origin: string }): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " items" : "";
}

/** Returns a hint for text that YAML reads as a number, such as `version: 1.10`. */
function quotesFor(issue: Issue, value: unknown, written: string | undefined): string {
  const isBare = typeof value === "number" || typeof value === "boolean";
  const wantsText = issue.code === "invalid_type" && issue.expected === "string";
  const mayBeText =
    issue.code === "invalid_union" &&
    issue.errors.some((inner) =>
      inner.some((one) => "expected" in one && one.expected === "string"),
    );
  if (!isBare || written === undefined || !(wantsText || mayBeText)) return "";
  return `; put it in quotes: "${written}"`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(
    (here, step) => (here as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  );
}
