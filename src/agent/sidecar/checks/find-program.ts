// Finds a configured program in the same way as a start would, without starting it.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { ExecConfig } from "../config/config.ts";
import { type ConfigOrigin, pathIn } from "../config/config-origin.ts";
import { environmentOf } from "../programs/program-environment.ts";

/** Throws an Error that says what is missing. */
export async function findProgram(exec: ExecConfig, origin: ConfigOrigin): Promise<string> {
  const folder = pathIn(origin, exec.cwd ?? ".");
  if (!(await isFolder(folder))) throw new Error(`cwd ${folder} is not a folder`);
  const [name = ""] = exec.command;
  if (isAbsolute(name) || name.includes("/")) return executable(resolve(folder, name));
  const { PATH = "" } = environmentOf(exec, origin);
  for (const part of PATH.split(delimiter)) {
    const path = join(resolve(folder, part), name);
    if ((await problemOf(path)) === null) return path;
  }
  throw new Error(`the program ${name} is not in PATH`);
}

async function executable(path: string): Promise<string> {
  const problem = await problemOf(path);
  if (problem !== null) throw new Error(`${path} ${problem}`);
  return path;
}

async function problemOf(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return "is not a file";
    await access(path, constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? "is not executable by this user" : "does not exist";
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
