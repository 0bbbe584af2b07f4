// A program gets only a few of the agent's variables by default, and so none of the agent's tokens.

import type { ExecConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config/config-origin.ts";

const everywhere = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR"];
const onWindows = (
  "APPDATA COMSPEC LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP " +
  "USERNAME USERPROFILE WINDIR"
).split(" ");

const isWindows = process.platform === "win32";
const always = new Set(isWindows ? [...everywhere, ...onWindows] : everywhere);

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
