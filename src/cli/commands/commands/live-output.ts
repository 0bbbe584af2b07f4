// Shows a command's output on stderr, above the progress line, during a wait on a terminal.

import type { Io } from "../../terminal/io.ts";
import type { OutputSink } from "./output-sink.ts";
import { layOutOutput, wholeLines } from "./output-text.ts";
import { ShownOutput } from "./shown-output.ts";

interface LiveOutput extends OutputSink {
  readonly shown: ShownOutput;
}

export function liveOutput(io: Io): LiveOutput {
  const layout = layOutOutput(io, false);
  const shown = new ShownOutput();
  // The progress line would overwrite an incomplete line.
  const whole = wholeLines();
  return {
    shown,
    async take(parts, isComplete) {
      shown.add(parts, isComplete);
      const lines = whole(layout.add(parts), isComplete);
      if (lines !== "") io.note(lines, true);
    },
  };
}
