// Reads the variables of the environment.

import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { builtIn, builtInNames } from "./built-in.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Removes `PLATFORM_` from the names. Ignores variables with the names of built-in values, because
 * a program must not take its version from its environment.
 */
export function readEnv(environment: Environment = process.env): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith("PLATFORM_") && value !== undefined && value !== "") {
      values[name.slice("PLATFORM_".length)] = value;
    }
  }
  for (const name of builtInNames) delete values[name];
  return { ...values, ...builtIn };
}

/** Returns all variables under their full names. */
export function wholeEnvironment(): Environment {
  return process.env;
}

/** Returns the environment without the `PLATFORM_` variables, for child processes. */
export function foreignEnvironment(): Environment {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("PLATFORM_"));
  return Object.fromEntries(others);
}

/** Returns null if the folder is unknown. XDG_CONFIG_HOME counts only if it is absolute. */
export function configHome(environment: Environment = process.env): string | null {
  return homeFor(environment.XDG_CONFIG_HOME, ".config", environment);
}

/** Returns null if the folder is unknown. */
export function cacheHome(): string | null {
  return homeFor(process.env.XDG_CACHE_HOME, ".cache", process.env);
}

function homeFor(named: string | undefined, name: string, { HOME = "" }: Environment) {
  if (named !== undefined && isAbsolute(named)) return named;
  const home = isAbsolute(HOME) ? HOME : homeOfUser();
  return home === null ? null : join(home, name);
}

function homeOfUser(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null;
  }
}
