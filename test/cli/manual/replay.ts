// Keeps a document true: runs its examples in order, and replaces the outputs that differ by more
// than what differs between any two runs.

import { type Manual, withOutputs } from "./document.ts";
import { areAlike, checkOrigins, Pairs } from "./likeness.ts";
import type { Shell } from "./shell.ts";

/** Something that has another name in the document than in the run, such as an address. */
export interface Place {
  shown: string;
  real: string;
}

/**
 * Returns the document's text, unchanged if all its outputs are right. Throws before running
 * anything if a command has an id that no earlier output shows.
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
