// Runs a document's examples in order, and replaces the outputs that differ (see likeness.ts).

import { type Manual, withOutputs } from "./document.ts";
import { areAlike, checkOrigins, Pairs } from "./likeness.ts";
import type { Shell } from "./shell.ts";

/** A text, such as an address, that is different in the document and in the run. */
export interface Place {
  shown: string;
  real: string;
}

/**
 * Returns the text, unchanged if all outputs are right. Throws if a command in a comment fails.
 * `pairs` are those of the documents that ran before in the same shell.
 */
export async function replay(
  manual: Manual,
  shell: Shell,
  places: Place[],
  pairs = new Pairs(),
): Promise<string> {
  checkOrigins(manual.examples, pairs);
  const toReal = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(shown, real), pairs.toReal(text));
  const toShown = (text: string) =>
    places.reduce((all, { shown, real }) => all.replaceAll(real, shown), text);
  const outputs: (string[] | null)[] = [];
  for (const { command, output, at } of manual.examples) {
    const ran = await shell.run(toReal(command));
    const lines = ran.lines.map(toShown);
    if (output === null && ran.status !== 0) {
      throw new Error(`line ${at + 1}: ${command} failed:\n${lines.join("\n")}`);
    }
    const asShown = output === null || areAlike(output, lines, pairs);
    outputs.push(asShown ? null : lines.map((line) => pairs.toShown(line)));
  }
  return withOutputs(manual, outputs);
}
