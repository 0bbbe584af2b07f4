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
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";

export interface Problem {
  /** Lines are counted from 1. Undefined means that the problem concerns no line. */
  line: number | undefined;
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
  /** Returns the scalar as written; undefined if there is none. */
  writtenAt(path: readonly PropertyKey[]): string | undefined;
}

const maxDepth = 64;

/** Never throws. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  // With these options, `yes` is a string and `<<` is a key, whatever a `%YAML` line says.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
  });
  const lineAt = (offset: number | undefined) =>
    offset === undefined ? undefined : lines.linePos(offset).line;
  const problems = problemsOf(document, lineAt);
  const value = problems.length > 0 ? null : jsonOf(document, problems, lineAt);
  return {
    problems,
    value: problems.length > 0 ? null : value,
    firstLine: lineAt(startOf(document.contents)),
    lineOf: (path) => lineAt(startAt(document.contents, path)),
    writtenAt(path) {
      const node = path.length === 0 ? document.contents : document.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

type LineAt = (offset: number | undefined) => number | undefined;

function problemsOf(document: Document.Parsed, lineAt: LineAt): Problem[] {
  // Later errors are usually consequences of the first one.
  const [mistake] = document.errors;
  if (mistake) {
    return [{ line: lineAt(mistake.pos[0]), message: inOurWords(mistake.code, mistake.message) }];
  }
  const problems = document.warnings.map(({ code, message, pos }) => ({
    line: lineAt(pos[0]),
    message: inOurWords(code, message),
  }));
  visit(document, {
    Map: (_, map) => void problems.push(...problemsOfKeys(map, lineAt)),
    Alias: (_, alias, parents) => {
      const message = problemOfAlias(document, alias, parents);
      if (message !== null) problems.push({ line: lineAt(startOf(alias)), message });
    },
    Scalar: (key, scalar) => {
      const isStrange = key !== "key" && typeof scalar.value === "number";
      if (!isStrange || Number.isFinite(scalar.value)) return;
      const message = `JSON has no number ${scalar.source}`;
      problems.push({ line: lineAt(startOf(scalar)), message });
    },
  });
  return problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
}

/** The library's messages are for programmers, so this replaces them. */
function inOurWords(code: string, message: string): string {
  switch (code) {
    case "MULTIPLE_DOCS":
      return "a second document begins here, but only one is allowed";
    case "RESOURCE_EXHAUSTION":
      return "is nested too deeply";
    case "TAG_RESOLVE_FAILED":
      return `tags such as ${/!\S*$|\S+$/.exec(message)?.[0] ?? "!x"} are not supported`;
    default:
      return message.charAt(0).toLowerCase() + message.slice(1);
  }
}

function problemsOfKeys(map: YAMLMap, lineAt: LineAt): Problem[] {
  const seen = new Map<string, number | undefined>();
  return map.items.flatMap(({ key, value }) => {
    const line = lineAt(startOf(key) ?? startOf(value));
    if (!isScalar(key) || typeof key.value !== "string") {
      const written = isScalar(key) && key.source ? `: "${key.source}"` : "";
      return [{ line, message: `a key must be a string, in quotes if necessary${written}` }];
    }
    const name = key.value;
    if (name === "__proto__") return [{ line, message: "the key __proto__ is not allowed" }];
    const first = seen.get(name);
    if (!seen.has(name)) seen.set(name, line);
    else return [{ line, message: `the key ${name} occurs twice: first in line ${first}` }];
    return [];
  });
}

function problemOfAlias(
  document: Document.Parsed,
  alias: Alias,
  parents: readonly unknown[],
): string | null {
  const target = alias.resolve(document);
  if (!target) return `there is no anchor &${alias.source} before the alias *${alias.source}`;
  const isInside = parents.includes(target);
  return isInside ? `the alias *${alias.source} is inside its own anchor` : null;
}

/** Adds a problem and returns null if the value is too deep or too large. */
function jsonOf(document: Document.Parsed, problems: Problem[], lineAt: LineAt): unknown {
  try {
    const value: unknown = document.toJS();
    if (depthOf(value) > maxDepth) throw new RangeError("too deep");
    return value;
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const message = isDeep ? "is nested too deeply" : "its aliases expand to too much data";
    problems.push({
      line: lineAt(startOf(isDeep ? document.contents : firstAlias(document))),
      message,
    });
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
