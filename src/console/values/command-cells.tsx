// Columns of commands that show more than their text: the source, the duration, and the message of an error.

import type { CommandSummary } from "../client/command.ts";
import { duration } from "../format/time.ts";
import { CommandSource } from "./command-source.tsx";

export const commandCells = {
  by: ({ source }: CommandSummary) => <CommandSource source={source} />,
  error: ({ errorCode, errorMessage }: CommandSummary) =>
    errorCode && <code title={errorMessage ?? undefined}>{errorCode}</code>,
  took: ({ durationMs }: CommandSummary) => durationMs !== null && duration(durationMs),
};
