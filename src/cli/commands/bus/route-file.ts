// A route in a file: YAML, or JSON, which is YAML too. What is wrong with it is told with the line.

import { AppError } from "../../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { type Problem, readYaml, type YamlSource } from "../../../lib/json/yaml-source.ts";
import { suggestion } from "../../../lib/nearest.ts";
import { usageError } from "../../exit.ts";
import { requireOperatorsText } from "../../files/operators-text.ts";
import type { Io } from "../../terminal/io.ts";

export interface RouteFile {
  /** As it stands there, without what is not for writing; not checked any further. */
  rule: JsonObject;
  /** Of a file that was made from a route: which version of it. */
  version: number | undefined;
  /** What the server finds wrong, with lines; undefined when the error is about something else. */
  problemsIn(error: unknown): Problem[] | undefined;
}

/** The file cannot be a route. */
export class BadRouteFile extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.problems = problems;
  }
}

/** The text of a file, or of standard input for `-`; waiting for that ends with `signal`. Throws a usage error. */
export async function readFileOrStdin(
  io: Io,
  flag: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  if (path === "-") return io.readStdin(signal);
  return requireOperatorsText(flag, path);
}

/** Any YAML or JSON object. Throws BadRouteFile. */
export function parseObject(text: string, what: string): JsonObject {
  return objectOf(parse(text), what);
}

/** Throws BadRouteFile for what is no YAML, no object, or has fields that no route has. */
export function parseRoute(text: string): RouteFile {
  const source = parse(text);
  const whole = objectOf(source, "a route");
  const strange = strangeFields(source, whole);
  if (strange.length > 0) throw new BadRouteFile(strange);
  const known = Object.entries(whole).filter(([field]) => field in fields);
  return {
    rule: Object.fromEntries(known),
    version: typeof whole.version === "number" ? whole.version : undefined,
    problemsIn: (error) => problemsIn(error, source),
  };
}

/** `route.yaml:3: …`, a line for each; to be thrown. */
export function fileError(path: string, problems: Problem[]): Error {
  const name = path === "-" ? "standard input" : path;
  const said = problems.map(({ line, message }) => {
    return `${line === undefined ? name : `${name}:${line}`}: ${message}`;
  });
  return usageError(said.join("\n  "));
}

/** The route in a file. Throws a usage error that names the line. */
export async function readRoute(io: Io, path: string, signal: AbortSignal): Promise<RouteFile> {
  const text = await readFileOrStdin(io, "--file", path, signal);
  try {
    return parseRoute(text);
  } catch (error) {
    throw error instanceof BadRouteFile ? fileError(path, error.problems) : error;
  }
}

/** What the server finds wrong with a file is told with its lines. */
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

/** What somebody writes, and the fields inside of it where they are fixed. */
const fields: Record<string, readonly string[] | null> = {
  name: null,
  description: null,
  state: null,
  match: ["type", "source", "data"],
  target: ["serviceCode", "action"],
  payload: null,
};

/** What `routes get -o yaml` prints besides; to be left in the file or taken out. */
const notForWriting = ["id", "version", "createdAt", "updatedAt", "warnings"];

function parse(text: string): YamlSource {
  const source = readYaml(text);
  if (source.problems.length > 0) throw new BadRouteFile(source.problems);
  return source;
}

function objectOf({ value, firstLine: line }: YamlSource, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new BadRouteFile([{ line, message: `must be ${what}: fields with their values` }]);
}

function strangeFields(source: YamlSource, whole: JsonObject): Problem[] {
  const problems = strangeIn(source, whole, [], [...Object.keys(fields), ...notForWriting]);
  for (const [field, inner] of Object.entries(fields)) {
    if (inner) problems.push(...strangeIn(source, whole[field], [field], inner));
  }
  return problems;
}

function strangeIn(
  { lineOf }: YamlSource,
  value: unknown,
  path: readonly string[],
  known: readonly string[],
): Problem[] {
  if (!isJsonObject(value)) return [];
  const names = known.filter((name) => !notForWriting.includes(name));
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
    // A route that is tested and not saved is a part of what is sent.
    const path = issue.path.replace(/^route\./, "");
    const where = path === "" ? "" : `${path}: `;
    return { line: lineOf(path.split(".")), message: `${where}${issue.message}` };
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}
