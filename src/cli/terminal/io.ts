// Everything outside a command: its input, output, terminal and environment.

import { join } from "node:path";
import { isatty } from "node:tty";
import { configHome, type Environment, readEnv, wholeEnvironment } from "../../config/env.ts";
import { onLostOutput, writeOutput } from "./lost-output.ts";

export type ProgramName = "platform" | "platformctl";

export interface Io {
  program: ProgramName;
  /** The variables, named without `PLATFORM_`. */
  env: Record<string, string>;
  /** All environment variables, under their full names. */
  wholeEnv: Environment;
  /** The folder of this user's contexts; null without a home folder. */
  configFolder: string | null;
  /** Writes data to stdout. */
  out(text: string): void;
  /** Writes long or binary data. Resolves when the data is written. Throws OutputGone. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /**
   * Writes hints and errors to stderr. On a terminal, run.ts wraps them to its width, except what
   * an action has printed (`isOutput`), because users copy from it.
   */
  note(text: string, isOutput?: boolean): void;
  /**
   * Shows one line on stderr, which must be a terminal, without a line feed. The next line, note or
   * output on this terminal replaces it; an empty text removes it.
   */
  showLine(text: string): void;
  /** Returns all of standard input. Rejects with the signal's reason. */
  readStdin(signal: AbortSignal): Promise<string>;
  /** Whether stdin and stderr are terminals. `canAsk` says whether somebody can answer. */
  interactive: boolean;
  /** Whether the command has read stdin. */
  hasReadStdin?: boolean;
  /** Whether stdout is a terminal. Control characters that others sent must not reach it. */
  isTerminal: boolean;
  /** The number of columns of that terminal; undefined if unknown. */
  width: number | undefined;
  /** The number of columns of stderr; undefined if it is not a terminal, or if unknown. */
  noteWidth?: number | undefined;
  colour: boolean;
  /** Whether stdout is a terminal that can be drawn on (screen.ts). */
  canDraw: boolean;
  now(): number;
  editor: string | undefined;
  pager: string | undefined;
  /** Runs a program that uses the terminal, and that receives Ctrl-C instead of this process. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Calls the listener at the next Ctrl-C only. Returns a function to unregister. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the listener when nobody reads stdout any longer. Returns a function to unregister. */
  onLostOutput(listener: () => void): () => void;
}

export function processIo(program: ProgramName): Io {
  const { stdout } = process;
  const home = configHome();
  const line = replacedLine();
  return {
    program,
    env: readEnv(),
    wholeEnv: wholeEnvironment(),
    configFolder: home === null ? null : join(home, "platform"),
    out(text) {
      if (stdout.isTTY) line.show("");
      stdout.write(text);
    },
    outBytes(bytes) {
      if (stdout.isTTY) line.show("");
      return writeOutput(bytes);
    },
    note: line.write,
    showLine: line.show,
    async readStdin(signal) {
      const { readStdin } = await import("./stdin.ts");
      return readStdin(signal);
    },
    interactive: isatty(0) && isatty(2),
    isTerminal: stdout.isTTY === true,
    // Some terminals report a width of 0, such as serial consoles.
    width: (stdout.isTTY && stdout.columns) || undefined,
    noteWidth: (process.stderr.isTTY && process.stderr.columns) || undefined,
    colour: Boolean(stdout.isTTY && stdout.hasColors() && !process.env.NO_COLOR),
    canDraw: Boolean(stdout.isTTY && process.env.TERM !== "dumb"),
    now: () => Date.now(),
    editor: process.env.VISUAL || process.env.EDITOR || undefined,
    pager: process.env.PAGER || undefined,
    lendTerminal,
    onInterrupt(listener) {
      process.once("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
    onLostOutput,
  };
}

/** Writes to stderr. Each text replaces the line that `show` printed last. */
function replacedLine() {
  let isShown = false;
  const write = (text: string) => {
    process.stderr.write(isShown ? `\r\u001b[2K${text}` : text);
    isShown = false;
  };
  return {
    write,
    show(text: string) {
      if (isShown || text !== "") write(text);
      isShown = text !== "";
    },
  };
}

async function lendTerminal<T>(work: () => Promise<T>): Promise<T> {
  const listeners = process.rawListeners("SIGINT") as NodeJS.SignalsListener[];
  process.removeAllListeners("SIGINT");
  // Without a listener, the signal would end this process.
  process.on("SIGINT", ignore);
  try {
    return await work();
  } finally {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}

function ignore(): void {}
