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

/** Returns the part of an Io that handles Ctrl-C. `press` presses it. */
export function ctrlC() {
  let press = () => {};
  const onInterrupt: Io["onInterrupt"] = (listener) => {
    press = listener;
    return () => undefined;
  };
  return { onInterrupt, press: () => press() };
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
  const { onInterrupt, press } = ctrlC();
  const io = {
    outBytes: async (bytes: Uint8Array) => {
      out += Buffer.from(bytes);
    },
    note: (text: string) => {
      notes += text;
    },
    onInterrupt,
    ...more,
  };
  const ended = world.run(way, words, { io, env });
  onTestFinished(press);
  return {
    out: () => out,
    notes: () => notes,
    values: (field) => valuesIn(out, field),
    async stop() {
      press();
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
