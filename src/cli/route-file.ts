// A route in a file: YAML, or JSON, which is YAML too. What is wrong with it is told with the line.

import { readFileSync } from "node:fs";
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { AppError } from "../domain/errors.ts";
import type { JsonObject } from "../domain/json.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { nearest } from "./naming.ts";

export interface RouteFile {
  /** As it stands there, without what is not for writing; not checked any further. */
  rule: JsonObject;
  /** Of a file that was made from a route: which version of it. */
  version: number | undefined;
  /** What the server finds wrong, with lines; undefined when the error is about something else. */
  problemsIn(error: unknown): Problem[] | undefined;
}

export interface Problem {
  line: number | undefined;
  message: string;
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
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : (code ?? message);
    throw usageError(`${flag}: ${path} cannot be read: ${reason}.`);
  }
}

/** Any YAML or JSON object. Throws BadRouteFile. */
export function parseObject(text: string, what: string): JsonObject {
  const { document, lines } = parse(text);
  return objectOf(document, lines, what);
}

/** Throws BadRouteFile for what is no YAML, no object, or has fields that no route has. */
export function parseRoute(text: string): RouteFile {
  const { document, lines } = parse(text);
  const whole = objectOf(document, lines, "a route");
  const strange = strangeFields(document, lines);
  if (strange.length > 0) throw new BadRouteFile(strange);
  const known = Object.entries(whole).filter(([field]) => field in fields);
  return {
    rule: Object.fromEntries(known),
    version: typeof whole.version === "number" ? whole.version : undefined,
    problemsIn: (error) => problemsIn(error, document, lines),
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

function parse(text: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [first] = document.errors;
  if (!first) return { document, lines };
  throw new BadRouteFile([
    { line: lines.linePos(first.pos[0]).line, message: lowerFirst(first.message) },
  ]);
}

function objectOf(document: Document, lines: LineCounter, what: string): JsonObject {
  if (isMap(document.contents)) return toObject(document);
  const line = lineOfNode(document.contents, lines);
  throw new BadRouteFile([{ line, message: `must be ${what}: fields with their values` }]);
}

function toObject(document: Document): JsonObject {
  try {
    return document.toJS() as JsonObject;
  } catch (error) {
    // Aliases that lead nowhere, or to far too much.
    throw new BadRouteFile([{ line: undefined, message: lowerFirst((error as Error).message) }]);
  }
}

function strangeFields(document: Document, lines: LineCounter): Problem[] {
  const problems = strangeIn(document.contents, Object.keys(fields), notForWriting, lines);
  for (const [field, inner] of Object.entries(fields)) {
    if (inner) problems.push(...strangeIn(document.get(field, true), inner, [], lines));
  }
  return problems;
}

function strangeIn(
  node: unknown,
  known: readonly string[],
  ignored: readonly string[],
  lines: LineCounter,
): Problem[] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key }) => {
    const name = String(isScalar(key) ? key.value : key);
    if (known.includes(name) || ignored.includes(name)) return [];
    const meant = nearest(name, known);
    const hint = meant ? `; was ${meant} meant?` : `; there are: ${known.join(", ")}`;
    return [{ line: lineOfNode(key, lines), message: `there is no field ${name}${hint}` }];
  });
}

function problemsIn(error: unknown, document: Document, lines: LineCounter): Problem[] | undefined {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return undefined;
  const issues = error.details?.issues;
  if (!Array.isArray(issues)) return undefined;
  const problems = issues.map((issue: { path: string; message: string }) => {
    // A route that is tested and not saved is a part of what is sent.
    const path = issue.path.replace(/^route\./, "");
    const where = path === "" ? "" : `${path}: `;
    return { line: lineOf(document, lines, path), message: `${where}${issue.message}` };
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** The line of the deepest node on a dotted path that is there. */
function lineOf(document: Document, lines: LineCounter, path: string): number | undefined {
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length--) {
    const node = document.getIn(steps.slice(0, length), true);
    if (isNode(node)) return lineOfNode(node, lines);
  }
  return undefined;
}

function lineOfNode(node: unknown, lines: LineCounter): number | undefined {
  const start = isNode(node) ? node.range?.[0] : undefined;
  return start === undefined ? undefined : lines.linePos(start).line;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
