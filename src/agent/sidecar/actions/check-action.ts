// Each placeholder must name a possible field of the payload and be in an allowed place.

import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { messageOf } from "../../connection/errors.ts";
import type { ActionConfig, HandlerConfig } from "../config/config.ts";
import { problemOfWord } from "./fill-exec.ts";
import { problemOfUrl } from "./fill-http.ts";
import { type Placeholder, placeholdersIn } from "./template.ts";

/** The path is relative to the action: `["execute", "exec", "command", 1]`. */
interface ActionProblem {
  path: (string | number)[];
  message: string;
}

export function problemsOfAction({ inputSchema, prepare, execute }: ActionConfig): ActionProblem[] {
  return [
    ...problemsOfHandler(["prepare"], prepare, undefined, () => "prepare has no payload"),
    ...problemsOfHandler(["execute"], execute, inputSchema, (path) =>
      problemOfField(path, inputSchema),
    ),
  ];
}

type Check = (path: string[]) => string | null;

function problemsOfHandler(
  at: string[],
  handler: HandlerConfig | undefined,
  schema: JsonObject | undefined,
  check: Check,
): ActionProblem[] {
  return templatesOf(handler, schema).flatMap(({ path, template, problem }) => {
    const message = problemOfTemplate(template, check) ?? problem?.() ?? null;
    return message === null ? [] : [{ path: [...at, ...path], message }];
  });
}

interface Template {
  path: (string | number)[];
  template: string;
  /** Called only if the template's placeholders are well formed. */
  problem?: () => string | null;
}

function templatesOf(handler: HandlerConfig | undefined, schema: JsonObject | undefined) {
  const { exec, http } = handler ?? {};
  const isOptional = ({ path }: Placeholder) => mayBeAbsent(path, schema);
  const templates: Template[] = [];
  for (const [at, template] of exec?.command.entries() ?? []) {
    const problem = () => problemOfPlaceholder(exec?.command ?? [], at, isOptional);
    templates.push({ path: ["exec", "command", at], template, problem });
  }
  for (const [name, template] of Object.entries(exec?.env ?? {})) {
    templates.push({ path: ["exec", "env", name], template });
  }
  if (http) {
    const problem = () => problemOfUrl(http.url);
    templates.push({ path: ["http", "url"], template: http.url, problem });
  }
  for (const [name, template] of Object.entries(http?.headers ?? {})) {
    if (typeof template === "string") templates.push({ path: ["http", "headers", name], template });
  }
  return templates;
}

/** Malformed placeholders are reported separately. */
function problemOfPlaceholder(
  command: string[],
  at: number,
  isOptional: (placeholder: Placeholder) => boolean,
): string | null {
  const isReadable = command.every((word) => problemOfTemplate(word, () => null) === null);
  return isReadable ? problemOfWord(command, at, isOptional) : null;
}

function problemOfTemplate(template: string, check: Check): string | null {
  try {
    for (const { path } of placeholdersIn(template)) {
      const problem = check(path);
      if (problem !== null) return problem;
    }
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Checks a path only as far as the schema lists the fields. */
function problemOfField(path: string[], schema: JsonObject | undefined): string | null {
  if (schema === undefined) return "the action has no inputSchema that lists the payload's fields";
  let here: Json | undefined = schema;
  for (const [at, step] of path.entries()) {
    if (!isJsonObject(here) || !isJsonObject(here.properties)) return null;
    if (!Object.hasOwn(here.properties, step)) {
      return `the inputSchema has no field ${path.slice(0, at + 1).join(".")}`;
    }
    here = here.properties[step];
  }
  return null;
}

function mayBeAbsent(path: string[], schema: JsonObject | undefined): boolean {
  let here: Json | undefined = schema;
  for (const step of path) {
    if (!isJsonObject(here) || !isJsonObject(here.properties)) return false;
    if (!Array.isArray(here.required) || !here.required.includes(step)) return true;
    here = here.properties[step];
  }
  return false;
}
