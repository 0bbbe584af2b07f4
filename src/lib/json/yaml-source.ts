// Reads YAML and JSON that people write, and finds the line of each part for error messages.
// Refuses what JSON cannot represent, and aliases that expand too far.

import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseAllDocuments,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { uncapitalized } from "../capitalized.ts";
import { cutText } from "../cut-text.ts";
import { isExact, tooLarge } from "./exact-numbers.ts";

/** Lines and columns are counted from 1. */
interface TextPosition {
  line: number;
  column: number;
}

export interface Problem {
  /** Lines are counted from 1. Undefined means that the problem concerns no line. */
  line: number | undefined;
  column?: number | undefined;
  message: string;
}

export interface YamlSource {
  /** Problems are sorted by line. If there are any, the value is null. */
  problems: Problem[];
  /** The value as in JSON, or null for an empty text. */
  value: unknown;
  /** The line where the content begins, after comments. */
  firstLine: number | undefined;
  /** Returns the line of the path's deepest part that exists; undefined if none exists. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
  /** Returns the position of the same part, or where the content begins if there is none. */
  placeOf(path: readonly PropertyKey[]): TextPosition | undefined;
  /** Returns the scalar as written; undefined if there is none. */
  writtenAt(path: readonly PropertyKey[]): string | undefined;
}

const deepest = 64;
/**
 * The maximum number of anchors and aliases together. For each alias, the library searches all of
 * them.
 */
const mostAliases = 1000;

/** With these options, `yes` is a string and `<<` is a key, whatever a `%YAML` line says. */
const options = {
  prettyErrors: false,
  schema: "core",
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
} as const;

/** Never throws. Unless `mayRound` is true, a number that is not exact is a problem. */
export function readYaml(text: string, mayRound = false): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines });
  return sourceOf(document, lines, deepest, mayRound);
}

/** Reads all documents of a text except empty ones. Never throws. */
export function readYamlDocuments(text: string, maxDepth = deepest): YamlSource[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...options, lineCounter: lines });
  return [...documents]
    .filter(({ contents, errors }) => !isBlank(contents) || errors.length > 0)
    .map((document) => sourceOf(document as Document.Parsed, lines, maxDepth));
}

function isBlank(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.source === "");
}

function sourceOf(
  document: Document.Parsed,
  lines: LineCounter,
  maxDepth: number,
  mayRound = false,
): YamlSource {
  const placeAt: PositionAt = (offset) => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = problemsOf(document, placeAt, mayRound);
  const value = problems.length > 0 ? null : jsonOf(document, problems, placeAt, maxDepth);
  const first = placeAt(startOf(document.contents));
  return {
    problems,
    value,
    firstLine: first?.line,
    lineOf: (path) => placeAt(startAt(document.contents, path))?.line,
    placeOf: (path) => placeAt(startAt(document.contents, path)) ?? first,
    writtenAt(path) {
      const node = path.length === 0 ? document.contents : document.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

type PositionAt = (offset: number | undefined) => TextPosition | undefined;

function problemAt(place: TextPosition | undefined, message: string): Problem {
  return { line: place?.line, column: place?.column, message };
}

function problemsOf(document: Document.Parsed, placeAt: PositionAt, mayRound: boolean): Problem[] {
  // Later errors are usually consequences of the first one.
  const [mistake] = document.errors;
  if (mistake) {
    return [problemAt(placeAt(mistake.pos[0]), inOurWords(mistake.code, mistake.message))];
  }
  const problems = document.warnings.map(({ code, message, pos }) =>
    problemAt(placeAt(pos[0]), inOurWords(code, message)),
  );
  // Nodes are visited in the order of the text. An alias refers to the last preceding anchor with
  // the same name.
  const anchors = new Map<string, unknown>();
  let count = 0;
  const isTooMany = (node: unknown) => {
    if (++count <= mostAliases) return false;
    const message = `has more than ${mostAliases} anchors and aliases`;
    problems.push(problemAt(placeAt(startOf(node)), message));
    return true;
  };
  const noteAnchor = (node: Scalar | YAMLMap | YAMLSeq) => {
    if (node.anchor === undefined) return undefined;
    anchors.set(node.anchor, node);
    return isTooMany(node) ? visit.BREAK : undefined;
  };
  visit(document, {
    Map: (_, map) => {
      for (const problem of problemsOfKeys(map, placeAt)) problems.push(problem);
      return noteAnchor(map);
    },
    Seq: (_, list) => noteAnchor(list),
    Alias: (_, alias, parents) => {
      const message = problemOfAlias(anchors.get(alias.source), alias, parents);
      if (message !== null) problems.push(problemAt(placeAt(startOf(alias)), message));
      return isTooMany(alias) ? visit.BREAK : undefined;
    },
    Scalar: (key, scalar) => {
      const { value, source = "" } = scalar;
      const message =
        key === "key" || typeof value !== "number"
          ? null
          : problemOfNumber(value, source, mayRound);
      if (message !== null) problems.push(problemAt(placeAt(startOf(scalar)), message));
      return noteAnchor(scalar);
    },
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

function problemOfNumber(value: number, written: string, mayRound: boolean): string | null {
  if (!Number.isFinite(value)) return `JSON has no number ${written}`;
  return mayRound || isExact(value) ? null : `${cutText(written, 40)} ${tooLarge}`;
}

/** Replaces the library's messages that only programmers understand. */
function inOurWords(code: string, message: string): string {
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a second document begins here, but only one is allowed";
    case "RESOURCE_EXHAUSTION":
      return "is nested too deeply";
    case "TAG_RESOLVE_FAILED":
      return `tags such as ${/!\S*$|\S+$/.exec(message)?.[0] ?? "!x"} are not supported`;
    default:
      return uncapitalized(message);
  }
}

function problemsOfKeys(map: YAMLMap, placeAt: PositionAt): Problem[] {
  const seen = new Map<string, number | undefined>();
  return map.items.flatMap(({ key, value }) => {
    const place = placeAt(startOf(key) ?? startOf(value));
    if (!isScalar(key) || typeof key.value !== "string") {
      const written = isScalar(key) && key.source ? `: "${key.source}"` : "";
      return [problemAt(place, `a key must be a string, in quotes if necessary${written}`)];
    }
    const name = key.value;
    if (name === "__proto__") return [problemAt(place, "the key __proto__ is not allowed")];
    if (seen.has(name)) {
      const message = `the key ${name} occurs twice: first in line ${seen.get(name)}`;
      return [problemAt(place, message)];
    }
    seen.set(name, place?.line);
    return [];
  });
}

function problemOfAlias(target: unknown, alias: Alias, parents: readonly unknown[]): string | null {
  if (target === undefined)
    return `there is no anchor &${alias.source} before the alias *${alias.source}`;
  const isInside = parents.includes(target);
  return isInside ? `the alias *${alias.source} is inside its own anchor` : null;
}

/** Adds a problem and returns null if the value is too deep or too large. */
function jsonOf(
  document: Document.Parsed,
  problems: Problem[],
  placeAt: PositionAt,
  maxDepth: number,
): unknown {
  try {
    const value: unknown = document.toJS();
    if (depthOf(value) > maxDepth) throw new RangeError("too deep");
    return value;
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const message = isDeep ? "is nested too deeply" : "its aliases expand to too much data";
    const place = placeAt(startOf(isDeep ? document.contents : firstAlias(document)));
    problems.push(problemAt(place, message));
    return null;
  }
}

function firstAlias(document: Document.Parsed): unknown {
  let found: unknown = null;
  visit(document, {
    Alias(_, alias) {
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return (
    1 + Object.values(value).reduce((most: number, inner) => Math.max(most, depthOf(inner)), 0)
  );
}

/** Finds the deepest part of the path that exists, and returns where it begins. */
function startAt(contents: unknown, path: readonly PropertyKey[]): number | undefined {
  let node = contents;
  let start: number | undefined;
  for (const step of path) {
    if (!isCollection(node)) return start;
    const pair: Pair | undefined = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === step)
      : undefined;
    const inner: unknown = pair ? pair.value : node.get(step, true);
    const begins = startOf(pair?.key ?? inner);
    if (begins === undefined) return start;
    start = begins;
    node = inner;
  }
  return start;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) || isAlias(node) ? (node as Scalar).range?.[0] : undefined;
}
