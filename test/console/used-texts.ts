// Finds which texts the console's modules use, by following `texts` through their constants.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

/** A place in the texts, such as `["overview", "feed", "title"]`. `*` means any key. */
type Path = readonly string[];

/** What the constants of a module mean. */
type Names = Map<string, Path[]>;

interface Node {
  type: string;
  [field: string]: unknown;
}

const sources = join(import.meta.dirname, "../../src/console");

/** Returns the leaves of the texts that no module uses: `overview.feed.title`. */
export function unusedTexts(texts: object): string[] {
  const used = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("texts"))
    .flatMap((name) => usedIn(name, readFileSync(join(sources, name), "utf8")));
  const isUsed = (leaf: Path) =>
    used.some((path) =>
      // `steps.map` uses `steps`.
      path.slice(0, leaf.length).every((step, at) => step === "*" || step === leaf[at]),
    );
  return leavesOf(texts)
    .filter(([path]) => !isUsed(path))
    .map(([path]) => path.join("."));
}

export function leavesOf(texts: object, path: Path = []): [path: Path, text: unknown][] {
  return Object.entries(texts).flatMap(([key, text]): [Path, unknown][] =>
    typeof text === "object" && text !== null && !Array.isArray(text)
      ? leavesOf(text, [...path, key])
      : [[[...path, key], text]],
  );
}

/** An object that is used as a whole, for example as an argument, uses all that is in it. */
export function usedIn(name: string, source: string): Path[] {
  const { program, errors } = parseSync(name, source);
  if (errors[0]) throw new SyntaxError(`${name}: ${errors[0].message}`);
  const root = program as unknown as Node;
  const names: Names = new Map([["texts", [[]]]]);
  // A constant can have its value from one that is declared later, in another function.
  for (let before = -1; before !== countIn(names); ) {
    before = countIn(names);
    walk(root, (node) => {
      if (node.type === "VariableDeclarator")
        declare(node.id as Node, meaningOf(node, names), names);
    });
  }
  const used: Path[] = [];
  const visit = (node: Node, isExported: boolean) => {
    const paths = pathsOf(node, names);
    if (paths) used.push(...paths);
    if (node.type === "MemberExpression" && paths) {
      if (node.computed) visit(node.property as Node, false);
    } else if (node.type === "VariableDeclarator" && meaningOf(node, names).length > 0) {
      // Other modules use what is exported.
      const exported: Names = new Map();
      if (isExported) declare(node.id as Node, meaningOf(node, names), exported);
      used.push(...[...exported.values()].flat());
    } else {
      const isInExport = isExported || node.type === "ExportNamedDeclaration";
      for (const child of childrenOf(node))
        visit(child, isInExport && node.type !== "BlockStatement");
    }
  };
  visit(root, false);
  return used;
}

function countIn(names: Names): number {
  return [...names.values()].flat().length;
}

function meaningOf({ init }: Node, names: Names): Path[] {
  return init ? (pathsOf(init as Node, names) ?? []) : [];
}

/** Notes which texts the names of a declaration mean. */
function declare(pattern: Node, paths: Path[], names: Names): void {
  if (paths.length === 0) return;
  if (pattern.type === "Identifier") {
    const name = String(pattern.name);
    if (name !== "texts") names.set(name, unique([...(names.get(name) ?? []), ...paths]));
  } else if (pattern.type === "AssignmentPattern") {
    declare(pattern.left as Node, paths, names);
  } else if (pattern.type === "ObjectPattern") {
    for (const property of pattern.properties as Node[]) {
      if (property.type === "RestElement") declare(property.argument as Node, paths, names);
      else {
        const step = property.computed ? "*" : nameOf(property.key as Node);
        const inside = paths.map((path) => [...path, step]);
        declare(property.value as Node, inside, names);
      }
    }
  }
}

function unique(paths: Path[]): Path[] {
  return [...new Map(paths.map((path) => [path.join("."), path])).values()];
}

/** Returns undefined if the expression is not a text, nor an object with texts. */
function pathsOf(node: Node, names: Names): Path[] | undefined {
  switch (node.type) {
    case "Identifier":
      return names.get(String(node.name));
    case "MemberExpression": {
      const property = node.property as Node;
      const step = node.computed && property.type !== "Literal" ? "*" : nameOf(property);
      const whole = pathsOf(node.object as Node, names);
      return whole?.map((path) => [...path, step]);
    }
    default:
      return undefined;
  }
}

function nameOf(key: Node): string {
  return String(key.type === "Literal" ? key.value : key.name);
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

/** Without names that are not expressions: keys, patterns and types. */
function childrenOf(node: Node): Node[] {
  if (node.type.startsWith("Import")) return [];
  return Object.entries(node).flatMap(([field, value]) => {
    const isKey = (field === "key" || field === "property") && !node.computed;
    const nodes = (Array.isArray(value) ? value : [value]).filter(isNode);
    if (isKey) return [];
    if (field === "params" || field === "id") return nodes.flatMap(defaultsIn);
    return nodes.filter((each) => !isType(each));
  });
}

function defaultsIn(pattern: Node): Node[] {
  if (pattern.type === "AssignmentPattern") {
    return [pattern.right as Node, ...defaultsIn(pattern.left as Node)];
  }
  const parts = (pattern.properties ?? pattern.elements ?? []) as (Node | null)[];
  return parts.flatMap((part) => (part ? defaultsIn((part.value ?? part) as Node) : []));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

const erased = ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"];

function isType({ type }: Node): boolean {
  return type.startsWith("TS") && !erased.includes(type);
}
