// The refusal to work on a database that others have open.

import { CliError, exit } from "../exit.ts";

export function inUse(file: string): CliError {
  return new CliError(
    exit.conflict,
    `${file} is in use: stop its server (and whatever else has it open), then try again. ` +
      "Nothing was changed.",
    { code: "DATABASE_IN_USE" },
  );
}
