// What a program gets of the agent's environment: the few variables that programs need to run at all,
// those that `passEnv` names, and those that `env` sets. Tokens of the agent stay with the agent.

import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";

const everywhere = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"];
const onWindows = [
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

const isWindows = process.platform === "win32";
const always = new Set(isWindows ? [...everywhere, ...onWindows] : everywhere);

/** A name of `passEnv` that the agent does not have is left out. `env` wins. */
export function environmentOf(
  { passEnv, env }: Pick<ExecConfig, "passEnv" | "env">,
  origin: ConfigOrigin,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(origin.env)) {
    if (value === undefined) continue;
    if (isAlwaysPassed(name) || passEnv.includes(name)) passed[name] = value;
  }
  return { ...passed, ...env };
}

function isAlwaysPassed(name: string): boolean {
  return always.has(isWindows ? name.toUpperCase() : name) || name.startsWith("LC_");
}
