// The types of the agent library, for the package: the declarations of its entry and of all that they
// name. They need no other package and no types of Node: what an agent's author sees is written out.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { projectFolder } from "./project.ts";

const sources = join(projectFolder, "src");

/**
 * Writes them into the folder, each where its source is in src/. Throws when one cannot be written without
 * a type checker, or names what is inferred from the wire, or a package.
 */
export function writeDeclarations(folder: string): void {
  const files = new Set(["agent/index.ts"]);
  // The set grows while it is walked.
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
  return `Types that the library shows must be written out: those that src/${file} exports need`;
}
