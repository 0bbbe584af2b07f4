// Enforces the table in layers.ts.

import { isBuiltin } from "node:module";
import { join, matchesGlob } from "node:path";
import { rooms } from "./layers.ts";
import { type Import, readSources, type SourceFile } from "./source-imports.ts";

export interface Violation {
  /** The path from the project's root: `src/core/fleet/agents.ts`. */
  file: string;
  message: string;
}

export function checkLayers(root: string): Violation[] {
  return findViolations(readSources(root));
}

function findViolations(sources: SourceFile[]): Violation[] {
  return [...forbiddenImports(sources), ...circles(sources), ...builtinsInBrowsers(sources)];
}

function forbiddenImports(sources: SourceFile[]): Violation[] {
  return sources.flatMap(({ path: file, imports }) => {
    if (!rooms[roomOf(file)]) {
      return [{ file, message: `${roomOf(file)} is not a room of scripts/layers.ts` }];
    }
    const messages = new Set([
      ...imports.map((imported) => objectionTo(imported, roomOf(file))),
      ...imports.map((imported) => objectionToFolder(imported, file)),
    ]);
    return [...messages].flatMap((message) => (message === null ? [] : [{ file, message }]));
  });
}

function objectionTo({ target, kind }: Import, room: string): string | null {
  if (target === null) return null;
  if (!target.startsWith("src/")) return `${room} may not import from outside src (${target})`;

  const other = roomOf(target);
  const { imports = [], types = [], lazy = [] } = rooms[room] ?? {};
  if (other === room || imports.includes(other)) return null;
  if (kind === "type" && types.includes(other)) return null;
  if (kind === "lazy" && lazy.includes(other)) return null;

  const objection = `${room} may not import ${other} (${target})`;
  if (types.includes(other)) return `${objection}, except with import type`;
  if (lazy.includes(other)) return `${objection}, except with a lazy import()`;
  return objection;
}

/** Returns an objection if the order of the folders in the room does not allow the import. */
function objectionToFolder({ target }: Import, file: string): string | null {
  const room = roomOf(file);
  const { folders } = rooms[room] ?? {};
  const own = folderOf(file);
  if (!folders || own === null) return null;
  if (!folders.includes(own)) return `${room}/${own} is not in the order of scripts/layers.ts`;
  const other = target !== null && roomOf(target) === room ? folderOf(target) : null;
  if (other === null || folders.indexOf(other) <= folders.indexOf(own)) return null;
  return `${room}/${own} may not import ${room}/${other}, which comes after it (${target})`;
}

/** Returns null for a file beside the folders of its room. */
function folderOf(path: string): string | null {
  const parts = path.split("/");
  return parts.length > 3 ? (parts[2] as string) : null;
}

/** `src/core/fleet/agents.ts` is in the room core, and `src/app.ts` is the room app. */
function roomOf(path: string): string {
  return path.split("/")[1]?.replace(/\.\w+$/, "") ?? "";
}

/** Type imports and lazy imports count too, because a lazy import only hides a cycle. */
function circles(sources: SourceFile[]): Violation[] {
  const paths = sources.map(({ path }) => path);
  const targetsOf = new Map(
    sources.map(({ path, imports }) => [path, filesImported(imports, paths)]),
  );
  const violations: Violation[] = [];
  const trail: string[] = [];
  const visited = new Set<string>();

  const visit = (file: string) => {
    visited.add(file);
    trail.push(file);
    for (const target of targetsOf.get(file) ?? []) {
      if (trail.includes(target)) {
        const circle = [...trail.slice(trail.indexOf(target)), target];
        violations.push({ file: target, message: `import cycle ${circle.join(" -> ")}` });
      } else if (!visited.has(target)) {
        visit(target);
      }
    }
    trail.pop();
  };

  for (const { path } of sources) if (!visited.has(path)) visit(path);
  return violations;
}

/** A lazy import with a computed part can load every file that its pattern matches. */
function filesImported(imports: Import[], paths: string[]): Set<string> {
  const targets = imports.flatMap(({ target }) => target ?? []);
  return new Set(
    targets.flatMap((target) =>
      target.includes("*") ? paths.filter((path) => matchesGlob(path, target)) : target,
    ),
  );
}

function builtinsInBrowsers(sources: SourceFile[]): Violation[] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const starts = sources.map(({ path }) => path).filter((path) => rooms[roomOf(path)]?.browser);
  const trails = new Map(starts.map((path) => [path, path]));
  const violations: Violation[] = [];

  // The map grows during the loop: each file is visited once, by its shortest trail.
  for (const [file, trail] of trails) {
    for (const { specifier, target, kind } of importsOf.get(file) ?? []) {
      if (kind === "type") continue;
      if (target !== null && !trails.has(target)) trails.set(target, `${trail} -> ${target}`);
      if (isBuiltin(specifier)) {
        violations.push({ file, message: `${specifier} would reach browsers (${trail})` });
      }
    }
  }
  return violations;
}

if (import.meta.main) {
  const sources = readSources(join(import.meta.dirname, ".."));
  const violations = findViolations(sources);
  for (const { file, message } of violations) console.error(`${file}: ${message}`);
  if (violations.length > 0) {
    process.exitCode = 1;
  } else {
    const imports = sources.flatMap((source) => source.imports).length;
    console.log(`Layers are in order: ${sources.length} files, ${imports} imports.`);
  }
}
