// The certificate authorities that an operator trusts instead of the default root CAs.

import { problemOfCa } from "../../client/ca.ts";
import { usageError } from "../exit.ts";
import { requireOperatorsText } from "../files/operators-text.ts";
import type { Io } from "../terminal/io.ts";

/** `given` is the value of `--ca-file`, which overrides PLATFORM_CA_FILE. */
export function readCa(io: Io, given: string | undefined): string | undefined {
  const file = given ?? io.env.CA_FILE;
  if (file === undefined) return undefined;
  const source = given === undefined ? "PLATFORM_CA_FILE" : "--ca-file";
  const pem = requireOperatorsText(source, file);
  const problem = problemOfCa(pem);
  if (problem) throw usageError(`${source}: ${file} ${problem}.`);
  return pem;
}
