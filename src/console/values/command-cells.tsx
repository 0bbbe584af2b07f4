// Columns of commands that say more than their text: who asked for one, and how long it took.

import type { CommandSummary } from "../client/command.ts";
import { duration } from "../format/time.ts";
import { CommandSource } from "./command-source.tsx";

export const commandCells = {
  by: ({ source }: CommandSummary) => <CommandSource source={source} />,
  took: ({ durationMs }: CommandSummary) => durationMs !== null && duration(durationMs),
};
