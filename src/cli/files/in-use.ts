// The error for a database that other processes have open.

import { CliError, exit } from "../exit.ts";

export function inUse(file: string): CliError {
  return new CliError(
    exit.conflict,
    `${file} is in use: stop its server and any other program that has the file open, then try again. ` +
      "Nothing was changed.",
    { code: "DATABASE_IN_USE" },
  );
}
