// The certificates that an operator brings along, to trust in place of the well-known authorities.

import { problemOfCa } from "../../client/ca.ts";
import { usageError } from "../exit.ts";
import { requireOperatorsText } from "../files/operators-text.ts";
import type { Io } from "../terminal/io.ts";

/** What `--ca-file` (`given`) or PLATFORM_CA_FILE names, as text; undefined for neither. Throws a usage error. */
export function readCa(io: Io, given: string | undefined): string | undefined {
  const file = given ?? io.env.CA_FILE;
  if (file === undefined) return undefined;
  const saidBy = given === undefined ? "PLATFORM_CA_FILE" : "--ca-file";
  const pem = requireOperatorsText(saidBy, file);
  const problem = problemOfCa(pem);
  if (problem) throw usageError(`${saidBy}: ${file} ${problem}.`);
  return pem;
}
