import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** `type` means an import that is erased before the code runs; `lazy` means `import()`. */
export type ImportKind = "value" | "type" | "lazy";

export interface Import {
  specifier: string;
  kind: ImportKind;
  /** The imported file's path from the project's root; null for packages and Node modules. */
  target: string | null;
}

export interface SourceFile {
  /** The path from the project's root, with forward slashes: `src/lib/ulid.ts`. */
  path: string;
  imports: Import[];
}

/** Returns every source file under `<root>/src`, sorted by path. Throws on a syntax error. */
export function readSources(root: string): SourceFile[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .map((name) => `src/${name.replaceAll(sep, "/")}`)
    .sort()
    .map((path) => ({ path, imports: importsOf(path, readFileSync(join(root, path), "utf8")) }));
}

function importsOf(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`);

  const imports: Import[] = [];
  const add = (specifier: string, kind: ImportKind) => {
    const relative = specifier.startsWith(".");
    const target = relative ? posix.join(posix.dirname(path), specifier) : null;
    imports.push({ specifier, kind, target });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind ?? "value"),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind ?? "value"),
    ExportNamedDeclaration: (node) => {
      if (node.source) add(node.source.value, node.exportKind ?? "value");
    },
    TSImportType: (node) => add(node.source.value, "type"),
    ImportExpression: (node) => {
      const specifier = knownText(node.source);
      if (specifier !== null) add(specifier, "lazy");
    },
  }).visit(program);
  return imports;
}

/** Computed parts become `*`. Returns null if the whole specifier is computed. */
function knownText(source: ESTree.Expression): string | null {
  if (source.type === "Literal") return String(source.value);
  if (source.type === "TemplateLiteral") {
    return source.quasis.map((quasi) => quasi.value.cooked).join("*");
  }
  return null;
}
