// `--debug`: prints every call and its outcome on stderr, without secrets.

import { printableText } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";

export function tracing(io: Io, debug: boolean | undefined): { trace?: (line: string) => void } {
  return debug ? { trace: (line) => io.note(`${printableText(line)}\n`) } : {};
}
