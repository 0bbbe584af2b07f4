// Writes the types of the agent library. They depend neither on other packages nor on Node's types.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { projectFolder } from "./project.ts";

const sources = join(projectFolder, "src");

/** Throws if a declaration needs a type checker, a package or the API's inferred types. */
export function writeDeclarations(folder: string): void {
  const files = new Set(["agent/index.ts"]);
  // The set grows during the loop.
  for (const file of files) {
    const declarations = declarationsOf(file);
    for (const specifier of specifiersIn(declarations)) {
      const named = specifier.startsWith(".") ? join(dirname(file), specifier) : specifier;
      if (!/^(agent|domain|lib)\//.test(named)) throw new Error(`${needs(file)} ${named}`);
      files.add(named);
    }
    const written = join(folder, file.replace(/\.ts$/, ".d.ts"));
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, declarations.replaceAll(importedFrom, '$1"$2.js"'));
  }
}

const importedFrom = /\b((?:from|import)\s*\(?\s*)"(\.[^"]*)\.ts"/g;

function declarationsOf(file: string): string {
  const path = join(sources, file);
  const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, "utf8"));
  const [problem] = errors;
  if (problem) throw new Error(`${needs(file)} a type checker: ${problem.message}`);
  return code;
}

function specifiersIn(declarations: string): string[] {
  const found = declarations.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, specifier = ""]) => specifier);
}

function needs(file: string): string {
  return `The library's public types must be written out: the exports of src/${file} need`;
}
