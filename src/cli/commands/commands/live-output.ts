// Shows a command's output on stderr, above the progress line, during a wait on a terminal.

import type { Io } from "../../terminal/io.ts";
import type { OutputSink } from "./output-sink.ts";
import { layOutOutput } from "./output-text.ts";
import { ShownOutput } from "./shown-output.ts";

export interface LiveOutput extends OutputSink {
  readonly shown: ShownOutput;
}

export function liveOutput(io: Io): LiveOutput {
  const layout = layOutOutput(io, false);
  const shown = new ShownOutput();
  /** The start of an incomplete line, held back because the progress line would overwrite it. */
  let halfLine = "";
  return {
    shown,
    async take(parts, isComplete) {
      shown.add(parts, isComplete);
      const text = halfLine + layout.add(parts);
      const lines = isComplete && text !== "" && !text.endsWith("\n") ? `${text}\n` : text;
      const end = lines.lastIndexOf("\n") + 1;
      halfLine = lines.slice(end);
      if (end > 0) io.note(lines.slice(0, end));
    },
  };
}
