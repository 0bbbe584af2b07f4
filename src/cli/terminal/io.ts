// The world of a command: where it writes, what it may ask of the terminal, which program it is.
// Data goes to stdout, all else to stderr.

import { join } from "node:path";
import { configHome, readEnv, readProxyEnv } from "../../config/env.ts";
import { onLostOutput, writeOutput } from "./lost-output.ts";

export type ProgramName = "platform" | "platformctl";

export interface Io {
  program: ProgramName;
  /** Variables by their names without `PLATFORM_`. */
  env: Record<string, string>;
  /** HTTPS_PROXY and the like, as all programs know them. */
  proxyEnv: Record<string, string>;
  /** Where this user's contexts are kept; null when the user has no home. */
  configFolder: string | null;
  /** Writes data. */
  out(text: string): void;
  /** Writes data that may be long, or no text; resolves when it is taken. Throws OutputGone. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /** Writes everything else: progress, hints, errors. */
  note(text: string): void;
  /** All of standard input. Waiting for it ends with `signal`, and rejects with its reason. */
  readStdin(signal: AbortSignal): Promise<string>;
  /** A person is there: stdin and stderr are terminals. */
  interactive: boolean;
  /** Columns of the terminal that stdout is; undefined when it is none. */
  width: number | undefined;
  /** Colour may be used on stdout. */
  colour: boolean;
  /** Stdout is a terminal that can be drawn on (screen.ts). */
  canDraw: boolean;
  now(): number;
  /** The person's own, as a command; undefined when they have named none. */
  editor: string | undefined;
  /** Runs what has the terminal meanwhile: Ctrl-C is for it, and not for us. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Calls the listener at the next Ctrl-C; the one after that ends the process. Answers the undoing. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the listener when nobody takes what is written to stdout any more. Answers the undoing. */
  onLostOutput(listener: () => void): () => void;
}

export function processIo(program: ProgramName): Io {
  const { stdin, stdout, stderr } = process;
  const home = configHome();
  return {
    program,
    env: readEnv(),
    proxyEnv: readProxyEnv(),
    configFolder: home === null ? null : join(home, "platform"),
    out: (text) => void stdout.write(text),
    outBytes: writeOutput,
    note: (text) => void stderr.write(text),
    readStdin,
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
    // Some terminals without a person say that they are 0 wide.
    width: (stdout.isTTY && stdout.columns) || undefined,
    colour: Boolean(stdout.isTTY && stdout.hasColors() && !process.env.NO_COLOR),
    canDraw: Boolean(stdout.isTTY && process.env.TERM !== "dumb"),
    now: () => Date.now(),
    editor: process.env.VISUAL || process.env.EDITOR || undefined,
    lendTerminal,
    onInterrupt(listener) {
      process.once("SIGINT", listener);
      return () => void process.off("SIGINT", listener);
    },
    onLostOutput,
  };
}

/** Who types there and thinks better of it must not be waited for. */
async function readStdin(signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  const giveUp = () => stdin.destroy();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    signal.throwIfAborted();
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

async function lendTerminal<T>(work: () => Promise<T>): Promise<T> {
  const listeners = process.rawListeners("SIGINT") as NodeJS.SignalsListener[];
  process.removeAllListeners("SIGINT");
  // With none at all the signal would end us.
  process.on("SIGINT", ignore);
  try {
    return await work();
  } finally {
    process.off("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}

function ignore(): void {}
