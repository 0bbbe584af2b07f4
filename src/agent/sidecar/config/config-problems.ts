// From what the schema finds wrong in agent.yaml to sentences for the person who has written it.

import type { z } from "zod";
import type { YamlSource } from "../../../lib/json/yaml-source.ts";
import { nearest } from "../../../lib/nearest.ts";
import { fieldsAt } from "./config-fields.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Something wrong at a path of the file. The message goes behind the path: "must be a text". */
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
  if (value === null) return [{ path, message: "is empty: give it a value, or leave it out" }];
  return [{ path, message: messageOf(issue) + quotesFor(issue, value, source.writtenAt(path)) }];
}

function strange(path: Path, key: string): Finding {
  const known = fieldsAt(path);
  const meant = nearest(key, known);
  const hint = meant ? `was ${meant} meant?` : `there are: ${known.join(", ")}`;
  return { path: [...path, key], message: `there is no such field; ${hint}` };
}

/** Of several kinds that a value may have, the one that it seems to be; null when it seems to be none. */
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
  string: "must be a text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be fields with their values",
  record: "must be names with their values",
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
      return `the name ${String(issue.path.at(-1))} cannot be used: it ${issue.issues.map(messageOf).join(", ")}`;
    default:
      return issue.message;
  }
}

/** The schema has a sentence of its own for it. */
function isOurs({ message }: Issue): boolean {
  return message.startsWith("must ");
}

function unitOf({ origin }: { origin: string }): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " of them" : "";
}

/** `version: 1.10` is a number to YAML, and not even that one. */
function quotesFor(issue: Issue, value: unknown, written: string | undefined): string {
  const isBare = typeof value === "number" || typeof value === "boolean";
  const wantsText = issue.code === "invalid_type" && issue.expected === "string";
  const mayBeText =
    issue.code === "invalid_union" &&
    issue.errors.some((inner) =>
      inner.some((one) => "expected" in one && one.expected === "string"),
    );
  if (!isBare || written === undefined || !(wantsText || mayBeText)) return "";
  return `; as a text it is written in quotes: "${written}"`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(
    (here, step) => (here as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  );
}
