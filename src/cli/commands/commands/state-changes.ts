// Shows how the state has changed, if that is why an agent did not run an action.

import type { Reply } from "../../../api/index.ts";
import { stateChangesOf } from "../../../domain/commands/state-changes.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { pathLine, valueLine } from "../../form/lines.ts";
import { indented } from "../../output/printable.ts";
import { gridText } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";

const maxValue = 60;

/** Returns null for a command that has ended for another reason. */
export function stateChangesSection(io: Io, command: Reply<"commands.get">): string | null {
  const changes = stateChangesOf(command);
  if (changes === null) return null;
  const title = "\nchanges to the state since it was shown\n";
  if (changes.length === 0) return `${title}  Only values that are not shown are different.\n`;
  const rows = changes.map(({ path, before, after }) => [
    path.length === 0 ? "(whole)" : pathLine(path),
    cell(before),
    cell(after),
  ]);
  return title + indented(gridText(io, ["field", "shown", "now"], rows));
}

function cell(value: unknown): string {
  return value === undefined ? "-" : valueLine(value as Json, maxValue);
}
