// Reads a route or an event from YAML or JSON, and reports problems with their line numbers.

import { AppError } from "../../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { type Problem, readYaml, type YamlSource } from "../../../lib/json/yaml-source.ts";
import { suggestion } from "../../../lib/nearest.ts";
import { usageError } from "../../exit.ts";
import { textOfFileOrStdin } from "../../files/operators-text.ts";
import type { Io } from "../../terminal/io.ts";

export interface RouteFile {
  /** The writable fields, which only the server validates. */
  rule: JsonObject;
  /** The version of the route from which the file was made, if any. */
  version: number | undefined;
  /** Returns the server's validation problems with line numbers; undefined for any other error. */
  problemsIn(error: unknown): Problem[] | undefined;
}

export class BadRouteFile extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.problems = problems;
  }
}

/** Throws a usage error with the line number of each problem. */
export async function readObject(
  io: Io,
  flag: string,
  path: string,
  what: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const text = await textOfFileOrStdin(io, flag, path, signal);
  return inFile(path, () => objectOf(parse(text), what));
}

/** Throws BadRouteFile if the text is not YAML or not an object, or has unknown fields. */
export function parseRoute(text: string): RouteFile {
  const source = parse(text);
  const whole = objectOf(source, "a route");
  const unknown = unknownFields(source, whole);
  if (unknown.length > 0) throw new BadRouteFile(unknown);
  const known = Object.entries(whole).filter(([field]) => field in fields);
  return {
    rule: Object.fromEntries(known),
    version: typeof whole.version === "number" ? whole.version : undefined,
    problemsIn: (error) => problemsIn(error, source),
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
export async function readRoute(io: Io, path: string, signal: AbortSignal): Promise<RouteFile> {
  const text = await textOfFileOrStdin(io, "--file", path, signal);
  return inFile(path, () => parseRoute(text));
}

function inFile<T>(path: string, parsed: () => T): T {
  try {
    return parsed();
  } catch (error) {
    throw error instanceof BadRouteFile ? fileError(path, error.problems) : error;
  }
}

/** Reports the server's validation problems with line numbers in the file. */
export async function withLines<T>(
  path: string,
  file: RouteFile,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const problems = file.problemsIn(error);
    throw problems ? fileError(path, problems) : error;
  }
}

/** The fields of a route. A list contains the allowed subfields; null means any value. */
const fields: Record<string, readonly string[] | null> = {
  name: null,
  description: null,
  state: null,
  match: ["type", "source", "data"],
  target: ["serviceCode", "action"],
  payload: null,
};

/** Fields of `routes get -o yaml` that a file may contain, but that are ignored. */
const readOnly = ["id", "version", "createdAt", "updatedAt", "warnings"];

function parse(text: string): YamlSource {
  const source = readYaml(text);
  if (source.problems.length > 0) throw new BadRouteFile(source.problems);
  return source;
}

function objectOf({ value, firstLine: line }: YamlSource, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new BadRouteFile([{ line, message: `must contain ${what}: fields with values` }]);
}

function unknownFields(source: YamlSource, whole: JsonObject): Problem[] {
  const problems = unknownIn(source, whole, [], [...Object.keys(fields), ...readOnly]);
  for (const [field, inner] of Object.entries(fields)) {
    if (inner) problems.push(...unknownIn(source, whole[field], [field], inner));
  }
  return problems;
}

function unknownIn(
  { lineOf }: YamlSource,
  value: unknown,
  path: readonly string[],
  known: readonly string[],
): Problem[] {
  if (!isJsonObject(value)) return [];
  const names = known.filter((name) => !readOnly.includes(name));
  return Object.keys(value).flatMap((name) => {
    if (known.includes(name)) return [];
    const message = `there is no field ${name}; ${suggestion(name, "fields", names)}`;
    return [{ line: lineOf([...path, name]), message }];
  });
}

function problemsIn(error: unknown, { lineOf }: YamlSource): Problem[] | undefined {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return undefined;
  const issues = error.details?.issues;
  if (!Array.isArray(issues)) return undefined;
  const problems = issues.map((issue: { path: string; message: string }) => {
    // `routes test` sends an unsaved route as one field of the body.
    const path = issue.path.replace(/^route\./, "");
    const where = path === "" ? "" : `${path}: `;
    return { line: lineOf(path.split(".")), message: `${where}${issue.message}` };
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}
