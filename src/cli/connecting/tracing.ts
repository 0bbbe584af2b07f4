// `--debug`: every call and how it ended, on stderr, without secrets.

import { printableText } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";

/** For the options of a transport; nothing without the flag. */
export function tracing(io: Io, debug: boolean | undefined): { trace?: (line: string) => void } {
  return debug ? { trace: (line) => io.note(`${printableText(line)}\n`) } : {};
}
