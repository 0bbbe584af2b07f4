// A command with the payload's values in it. What has no value is left out, the argument or the variable,
// as long as no other argument takes its place then.

import type { JsonObject } from "../../../domain/payload/json.ts";
import type { ExecConfig } from "../config/config.ts";
import { problemBehindInterpreter } from "./interpreters.ts";
import { fill, type Placeholder, placeholdersIn, refuseAbsence, refuseValue } from "./template.ts";
import { problemBehindWrapper, programsOwnWordsAt } from "./wrappers.ts";

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
      const stays = (behind: number) => typeof filled[behind] === "string";
      const need = needOf(command, at, stays);
      if (need !== null) refuseAbsence(template, payload, `is needed: ${need}`);
      return [];
    }
    // The program would do something else than what the operator of agent.yaml has written down.
    if (mayBeOption(command, at) && word.startsWith("-") && !template.startsWith("-")) {
      refuseValue(template, 'must not begin with "-": the program would read it as an option');
    }
    return [word];
  });
}

/** Why a payload must not be put into this word of the command, for an operator; null when it may. */
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
  const need = absent ? needOf(command, at, (behind) => optional(behind).length === 0) : null;
  if (!absent || need === null) return null;
  return `${absent.path.join(".")} must be required in the inputSchema: ${need}`;
}

/**
 * Why the command cannot do without this word, when `stays` tells what is there of those behind it; null
 * when it can: an option with its value, and the last words.
 */
function needOf(command: string[], at: number, stays: (at: number) => boolean): string | null {
  if (isOption(command, at)) return null;
  if (isOption(command, at - 1)) return `${command[at - 1]} may need it as its value`;
  const behind = command.findIndex((_, other) => other > at && stays(other));
  return behind === -1 ? null : `${command[behind]} would take its place`;
}

function isOption(command: string[], at: number): boolean {
  const word = command[at] ?? "";
  return at > 0 && mayBeOption(command, at) && word.startsWith("-");
}

/** It stands before the program's own `--`, or there is none; the `--` itself is no option. */
function mayBeOption(command: string[], at: number): boolean {
  const end = command.indexOf("--", programsOwnWordsAt(command));
  return end === -1 || at < end;
}
