// The only place that reads process.env. What the values mean is decided in config.ts.

import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { builtIn } from "./built-in.ts";

/**
 * The environment variables of this service, by their names without `PLATFORM_`. What was built in
 * counts before them: a program tells the truth about itself.
 */
export function readEnv(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith("PLATFORM_") && value !== undefined && value !== "") {
      values[name.slice("PLATFORM_".length)] = value;
    }
  }
  return { ...values, ...builtIn };
}

const proxyVariables = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];

/** The variables by which programs are told of proxies, in capital and in small letters. */
export function readProxyEnv(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of proxyVariables.flatMap((name) => [name, name.toLowerCase()])) {
    const value = environment[name];
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** All of it: for what a configuration of the agent names by its whole name. */
export function wholeEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** For a program of ours that must not be led by the caller's settings: all but the variables of this service. */
export function foreignEnvironment(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith("PLATFORM_"));
  return Object.fromEntries(others);
}

/**
 * Where programs keep what belongs to this user: XDG_CONFIG_HOME, else `.config` in the home folder; null
 * when there is none. A path that is not absolute counts for nothing (XDG base directories).
 */
export function configHome(
  environment: Record<string, string | undefined> = process.env,
): string | null {
  return homeFor(environment.XDG_CONFIG_HOME, ".config", environment);
}

/** The same for what can be made again: XDG_CACHE_HOME, else `.cache`. */
export function cacheHome(
  environment: Record<string, string | undefined> = process.env,
): string | null {
  return homeFor(environment.XDG_CACHE_HOME, ".cache", environment);
}

function homeFor(
  named: string | undefined,
  name: string,
  { HOME = "" }: Record<string, string | undefined>,
): string | null {
  if (named !== undefined && isAbsolute(named)) return named;
  const home = isAbsolute(HOME) ? HOME : homeOfUser();
  return home === null ? null : join(home, name);
}

/** As the operating system knows it. */
function homeOfUser(): string | null {
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : null;
  } catch {
    return null;
  }
}
