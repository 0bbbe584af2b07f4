// Text that is printed while it arrives.

import type { Io } from "../terminal/io.ts";
import { printableJson, printableLines } from "./printable.ts";

/**
 * Escapes JSON, which stays the same data. Other text has no escapes, so it is escaped only for a
 * terminal.
 */
export async function* printableChunks(
  { isTerminal }: Pick<Io, "isTerminal">,
  chunks: AsyncIterable<Uint8Array>,
  isJson: boolean,
): AsyncGenerator<Uint8Array> {
  if (!isJson && !isTerminal) {
    yield* chunks;
    return;
  }
  const printable = isJson ? printableJson : printableLines;
  // A character can begin in one chunk and end in the next.
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    yield Buffer.from(printable(decoder.decode(chunk, { stream: true })));
  }
  yield Buffer.from(printable(decoder.decode()));
}
