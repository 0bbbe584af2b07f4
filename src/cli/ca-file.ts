// The certificates that an operator brings along, to trust in place of the well-known authorities.

import { readFileSync } from "node:fs";
import { problemOfCa } from "../client/ca.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";

/** What `--ca-file` (`given`) or PLATFORM_CA_FILE names, as text; undefined for neither. Throws a usage error. */
export function readCa(io: Io, given: string | undefined): string | undefined {
  const file = given ?? io.env.CA_FILE;
  if (file === undefined) return undefined;
  const saidBy = given === undefined ? "PLATFORM_CA_FILE" : "--ca-file";
  const pem = readText(saidBy, file);
  const problem = problemOfCa(pem);
  if (problem) throw usageError(`${saidBy}: ${file} ${problem}.`);
  return pem;
}

function readText(saidBy: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code;
    throw usageError(`${saidBy}: ${file} cannot be read: ${reason}.`);
  }
}
