// The error for a database that other processes have open.

import { CliError, exit } from "../exit.ts";

export function inUse(file: string): CliError {
  const message =
    `${file} is in use: stop its server and any other program that has the file open, then try again. ` +
    "Nothing was changed.";
  return new CliError(exit.conflict, message, { code: "DATABASE_IN_USE" });
}
