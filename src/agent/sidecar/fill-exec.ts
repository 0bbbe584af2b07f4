// A command with the payload's values in it. What has no value is left out: the argument, the variable.

import { basename } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { ExecConfig } from "./config.ts";
import { fill, placeholdersIn, refuseValue } from "./template.ts";

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
  const optionsEnd = command.indexOf("--");
  return command.flatMap((template, at) => {
    const word = fill(template, payload);
    if (word === null) return [];
    const mayBeOption = optionsEnd === -1 || at < optionsEnd;
    // The program would do something else than what the operator of agent.yaml has written down.
    if (mayBeOption && word.startsWith("-") && !template.startsWith("-")) {
      refuseValue(template, 'must not begin with "-": the program would read it as an option');
    }
    return [word];
  });
}

const shells = new Set(["sh", "ash", "bash", "dash", "fish", "ksh", "zsh"]);

/** Why a payload must not be put into this word of the command, for an operator; null when it may. */
export function problemOfWord(command: string[], at: number): string | null {
  if (placeholdersIn(command[at] ?? "").length === 0) return null;
  if (at === 0) return "the program itself cannot come from the payload";
  if (at !== indexOfScript(command)) return null;
  return (
    "a value within a shell's script would be read as a part of it: write $1 there, and the value " +
    `behind it, as in [sh, -c, 'echo "$1"', --, "\${payload.field}"]`
  );
}

/** Of what a shell in the command is given to run with `-c`; -1 when there is none. */
function indexOfScript(command: string[]): number {
  const shell = command.findIndex((word) => shells.has(basename(word)));
  if (shell === -1) return -1;
  const option = command.findIndex((word, at) => at > shell && /^-[a-z]*c$/.test(word));
  return option === -1 ? -1 : option + 1;
}
