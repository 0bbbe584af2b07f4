// Makes the tables of routes, in a complete form for the server and a lazy form for commands, which
// load one noun at a time, and the table of handlers. Also makes src/domain/audit/nouns.ts, the words
// of the audit trail.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const note = "Written by scripts/write-tables.ts: do not edit.";

interface Table {
  /** The prefix of the route names: `agents`. */
  name: string;
  /** The file with the routes. */
  file: string;
  /** The name under which the file exports the routes. */
  routes: string;
  noun: string | undefined;
  /** The file with the handlers. */
  handledIn: string;
}

/** The keys are the paths of the files. */
export async function tableFiles(): Promise<Record<string, string>> {
  const tables = tablesOf(sourcesIn("api"), [...sourcesIn("core"), ...sourcesIn("http")]);
  return {
    "src/api/index.ts": routesFile(tables, "src/api/index.ts"),
    "src/api/loaders.ts": routeLoadersFile(tables, "src/api/loaders.ts"),
    "src/http/endpoints/loaders.ts": handlerLoadersFile(tables, "src/http/endpoints/loaders.ts"),
    "src/domain/audit/nouns.ts": auditFile(await auditedOf(sourcesIn("domain"))),
  };
}

type Source = readonly [file: string, text: string];

function sourcesIn(room: string): Source[] {
  return globSync(`src/${room}/**/*.ts`, { cwd: root }).map((path) => {
    const file = path.replaceAll("\\", "/");
    return [file, readFileSync(join(root, file), "utf8")];
  });
}

function tablesOf(api: Source[], handling: Source[]): Table[] {
  const found = api.flatMap(([file, text]) => {
    const [, routes, name] =
      /^export const (\w+) = defineRoutes\(\{\s*"([\w-]+)\./m.exec(text) ?? [];
    if (!routes || !name) return [];
    const noun = /^export const (\w+) = defineNoun\(/m.exec(text)?.[1];
    const exported = new RegExp(`^export const handlers: HandlersOf<typeof ${routes}>`, "m");
    const [handledIn] = handling.find(([, source]) => exported.test(source)) ?? [];
    if (handledIn) return [{ name, file, routes, noun, handledIn }];
    throw new Error(
      `${file} has routes that no file handles: export \`handlers: HandlersOf<typeof ${routes}>\` in src/core.`,
    );
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function routesFile(tables: Table[], to: string): string {
  const nouns = tables.flatMap(({ noun }) => noun ?? []);
  const imports = tables.map(({ file, routes, noun }) => {
    return `import { ${noun ? `${noun}, ` : ""}${routes} } from "${pathFrom(to, file)}";\n`;
  });
  return `// The table of all routes, for the server, the OpenAPI file, the client, the command line and the tests.
// ${note}

import type { DefinedNoun } from "./contract/noun.ts";
import type { BodyInput, QueryInput, ReplyData, RouteSpec } from "./contract/route.ts";
${imports.join("")}
export const routes = {
${linesOf(tables.map(({ routes }) => `...${routes}`))}} satisfies Record<string, RouteSpec>;

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** The data that a route returns, and the input that it accepts. */
export type Reply<N extends RouteName> = ReplyData<Routes[N]>;
export type Body<N extends RouteName> = BodyInput<Routes[N]>;
export type Query<N extends RouteName> = QueryInput<Routes[N]>;

export const nouns: readonly DefinedNoun[] = [
${linesOf(nouns)}];
`;
}

function routeLoadersFile(tables: Table[], to: string): string {
  const loaders = tables.map(({ name, file, routes }) => {
    return `${quoted(name)}: async () => (await import("${pathFrom(to, file)}")).${routes}`;
  });
  return `// Loads the routes of each noun, by the first part of their names.
// ${note}

export const loaders = {
${linesOf(loaders)}};
`;
}

function handlerLoadersFile(tables: Table[], to: string): string {
  const loaders = tables.map(({ name, handledIn }) => {
    return `${quoted(name)}: () => import("${pathFrom(to, handledIn)}")`;
  });
  return `// Loads the handlers of each noun, by the first part of their routes' names. If one is missing, this
// does not compile.
// ${note}

import type { Noun, RoutesOf } from "../../api/on-demand.ts";
import type { HandlersOf } from "../../core/handlers.ts";

export const loaders = {
${linesOf(loaders)}} satisfies { [N in Noun]: () => Promise<{ handlers: HandlersOf<RoutesOf<N>> }> };
`;
}

interface Audited {
  targetType: string;
  actions: readonly string[];
}

async function auditedOf(sources: Source[]): Promise<Audited[]> {
  const files = sources.filter(([, text]) => /^export const audited = /m.test(text));
  const modules = await Promise.all(files.map(([file]) => import(join(root, file))));
  const all = modules.map(({ audited }) => audited as Audited);
  return all.sort((a, b) => (a.targetType < b.targetType ? -1 : 1));
}

function auditFile(all: Audited[]): string {
  const words = (list: readonly string[]) => linesOf(list.map((word) => `"${word}"`));
  return `// The audit events about nouns, collected from the files of this folder.
// ${note}

export const nounActions = [
${words(all.flatMap(({ actions }) => actions))}] as const;

export const nounTargetTypes = [
${words(all.map(({ targetType }) => targetType))}] as const;
`;
}

function linesOf(entries: string[]): string {
  return entries.map((entry) => `  ${entry},\n`).join("");
}

function quoted(name: string): string {
  return /^\w+$/.test(name) ? name : `"${name}"`;
}

function pathFrom(to: string, file: string): string {
  const path = relative(dirname(to), file).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
