// An argument without a value is omitted, unless another argument would take its place.

import type { JsonObject } from "../../../domain/payload/json.ts";
import type { ExecConfig } from "../config/config.ts";
import { problemBehindInterpreter } from "./interpreters.ts";
import { fill, type Placeholder, placeholdersIn, refuseAbsence, refuseValue } from "./template.ts";
import { problemBehindWrapper, programArgumentsAt } from "./wrappers.ts";

/** Throws ActionError PAYLOAD_INVALID. */
export function fillExec(exec: ExecConfig, payload: JsonObject): ExecConfig {
  const env: Record<string, string> = {};
  for (const [name, template] of Object.entries(exec.env)) {
    const value = fill(template, payload);
    if (value !== null) env[name] = value;
  }
  return { ...exec, command: fillCommand(exec.command, payload), env };
}

function fillCommand(command: string[], payload: JsonObject): string[] {
  const filled = command.map((template) => fill(template, payload));
  return filled.flatMap((word, at) => {
    const template = command[at] ?? "";
    if (word === null) {
      const stays = (later: number) => typeof filled[later] === "string";
      const need = needOf(command, at, stays);
      if (need !== null) refuseAbsence(template, payload, `is required: ${need}`);
      return [];
    }
    // A value that is an option would change what the command in agent.yaml does.
    if (mayBeOption(command, at) && word.startsWith("-") && !template.startsWith("-")) {
      refuseValue(template, 'must not begin with "-": the program would read it as an option');
    }
    return [word];
  });
}

/** Returns a message for operators if this argument must not contain payload values, or null. */
export function problemOfWord(
  command: string[],
  at: number,
  isOptional: (placeholder: Placeholder) => boolean,
): string | null {
  const optional = (word: number) => placeholdersIn(command[word] ?? "").filter(isOptional);
  if (placeholdersIn(command[at] ?? "").length === 0) return null;
  const problem = problemBehindWrapper(command, at) ?? problemBehindInterpreter(command, at);
  if (problem !== null) return problem;
  const [absent] = optional(at);
  const need = absent ? needOf(command, at, (later) => optional(later).length === 0) : null;
  if (!absent || need === null) return null;
  return `${absent.path.join(".")} must be required in the inputSchema: ${need}`;
}

/**
 * Returns why the command needs this argument; null if it can run without it. `stays` says which
 * later arguments are always present.
 */
function needOf(command: string[], at: number, stays: (at: number) => boolean): string | null {
  if (isOption(command, at)) return null;
  if (isOption(command, at - 1)) return `${command[at - 1]} may need it as its value`;
  const later = command.findIndex((_, other) => other > at && stays(other));
  return later === -1 ? null : `${command[later]} would take its place`;
}

function isOption(command: string[], at: number): boolean {
  const word = command[at] ?? "";
  return at > 0 && mayBeOption(command, at) && word.startsWith("-");
}

function mayBeOption(command: string[], at: number): boolean {
  const end = command.indexOf("--", programArgumentsAt(command));
  return end === -1 || at < end;
}
