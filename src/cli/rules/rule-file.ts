// Reads a rule or an event from YAML or JSON, and reports problems with their line numbers.

import { AppError, type Issue } from "../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { type Problem, readYaml, type YamlSource } from "../../lib/json/yaml-source.ts";
import { usageError } from "../exit.ts";
import { textOfFileOrStdin } from "../files/operators-text.ts";
import type { Io } from "../terminal/io.ts";
import type { RuleKind } from "./rule-kind.ts";

export interface RuleFile {
  /** The writable fields, which only the server validates. */
  rule: JsonObject;
  /** The version of the rule from which the file was made, if any. */
  version: number | undefined;
  /** Returns the server's validation problems with line numbers; undefined for any other error. */
  problemsIn(error: unknown): Problem[] | undefined;
}

export class BadRuleFile extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.problems = problems;
  }
}

/** Throws a usage error with the line number of each problem. */
export async function readEvent(
  io: Io,
  flag: string,
  path: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const text = await textOfFileOrStdin(io, flag, path, signal);
  return inFile(path, () => objectOf(parse(text, true), "an event"));
}

/** Throws BadRuleFile if the text is not YAML or not an object, or has unknown fields. */
export function parseRule(kind: RuleKind, text: string): RuleFile {
  const source = parse(text);
  const whole = objectOf(source, kind.a);
  const unknown = kind.unknownFields(whole);
  if (unknown.length > 0) {
    const lineOf = ({ path }: Issue) => source.lineOf(path.split("."));
    throw new BadRuleFile(unknown.map((one) => ({ line: lineOf(one), message: one.message })));
  }
  const known = Object.entries(whole).filter(([field]) => kind.fields.includes(field));
  return {
    rule: Object.fromEntries(known),
    version: typeof whole.version === "number" ? whole.version : undefined,
    problemsIn: (error) => problemsIn(kind, error, source),
  };
}

/** Formats problems as `route.yaml:3: …`, one per line. */
export function fileError(path: string, problems: Problem[]): Error {
  const name = path === "-" ? "standard input" : path;
  const lines = problems.map(({ line, message }) => {
    return `${line === undefined ? name : `${name}:${line}`}: ${message}`;
  });
  return usageError(lines.join("\n  "));
}

/** Throws a usage error with the line number of each problem. */
export async function readRule(
  kind: RuleKind,
  io: Io,
  path: string,
  signal: AbortSignal,
): Promise<RuleFile> {
  const text = await textOfFileOrStdin(io, "--file", path, signal);
  return inFile(path, () => parseRule(kind, text));
}

/** Returns null without a path. Throws as `readRule` does. */
export async function givenRule(
  kind: RuleKind,
  io: Io,
  path: string | undefined,
  signal: AbortSignal,
): Promise<RuleFile | null> {
  return path === undefined ? null : readRule(kind, io, path, signal);
}

function inFile<T>(path: string, parsed: () => T): T {
  try {
    return parsed();
  } catch (error) {
    throw error instanceof BadRuleFile ? fileError(path, error.problems) : error;
  }
}

/** Reports the server's validation problems with line numbers in the file, if there is one. */
export async function withLines<T>(
  path: string | undefined,
  file: RuleFile | null,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = file?.problemsIn(error);
    throw problems ? fileError(path ?? "", problems) : error;
  }
}

function parse(text: string, mayRound = false): YamlSource {
  const source = readYaml(text, mayRound);
  if (source.problems.length > 0) throw new BadRuleFile(source.problems);
  return source;
}

function objectOf({ value, firstLine: line }: YamlSource, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new BadRuleFile([{ line, message: `must contain ${what}: fields with values` }]);
}

function problemsIn(
  { one }: RuleKind,
  error: unknown,
  { lineOf }: YamlSource,
): Problem[] | undefined {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return undefined;
  const issues = error.details?.issues;
  if (!Array.isArray(issues)) return undefined;
  const problems = issues.map((issue: { path: string; message: string }) => {
    // `routes test` sends an unsaved route as one field of the body.
    const isInside = issue.path.startsWith(`${one}.`);
    const path = isInside ? issue.path.slice(one.length + 1) : issue.path;
    const where = path === "" ? "" : `${path}: `;
    return { line: lineOf(path.split(".")), message: `${where}${issue.message}` };
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}
