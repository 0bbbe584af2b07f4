// Runs a command that follows new rows in this process.

import { onTestFinished } from "vitest";
import type { Io } from "../../src/cli/terminal/io.ts";
import type { Way, World } from "./world.ts";

export interface Following {
  out(): string;
  notes(): string;
  values<T>(field: string): T[];
  /** Sends Ctrl-C, and returns the exit status. */
  stop(): Promise<number>;
  ended: ReturnType<World["run"]>;
}

export function following(
  world: Pick<World, "run">,
  way: Way,
  words: string[],
  env: Record<string, string> = {},
  more: Partial<Io> = {},
): Following {
  let out = "";
  let notes = "";
  let interrupt = () => {};
  const io = {
    outBytes: async (bytes: Uint8Array) => {
      out += Buffer.from(bytes);
    },
    note: (text: string) => {
      notes += text;
    },
    onInterrupt: (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    },
    ...more,
  };
  const ended = world.run(way, words, { io, env });
  onTestFinished(() => interrupt());
  return {
    out: () => out,
    notes: () => notes,
    values: (field) => valuesIn(out, field),
    async stop() {
      interrupt();
      return (await ended).status;
    },
    ended,
  };
}

/** Returns this field of each complete JSON line. */
export function valuesIn<T>(jsonLines: string, field: string): T[] {
  const whole = jsonLines.slice(0, jsonLines.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line)[field]);
}
