// Makes a document true: runs its examples in their order, and puts what they print in the place of what it
// says, where that differs by more than what differs from run to run.

import { type Manual, withOutputs } from "./document.ts";
import { areAlike, checkOrigins, Pairs } from "./likeness.ts";
import type { Shell } from "./shell.ts";

/** Something that the document calls by another name than the run does, such as an address. */
export interface Place {
  shown: string;
  real: string;
}

/**
 * Answers the document's text; it is the same when all is as it says. Throws, and runs nothing, when a command
 * has an id that came from nowhere.
 */
export async function replay(manual: Manual, shell: Shell, places: Place[]): Promise<string> {
  checkOrigins(manual.examples);
  const pairs = new Pairs();
  const toReal = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(shown, real), pairs.toReal(text));
  const toShown = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(real, shown), text);
  const outputs: (string[] | null)[] = [];
  for (const { command, output } of manual.examples) {
    const lines = (await shell.run(toReal(command))).lines.map(toShown);
    const asShown = output === null || areAlike(output, lines, pairs);
    outputs.push(asShown ? null : lines.map((line) => pairs.toShown(line)));
  }
  return withOutputs(manual, outputs);
}
