// A real terminal for tests: runs a program in a pseudo-terminal and shows the screen as a user
// sees it. Tests wait for texts on the screen, never for a fixed time.

import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { Terminal as Screen } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { bin } from "./installed.ts";
import { cleanEnv, databaseEnv, until } from "./process.ts";

/** The input for keys that are not characters. */
export const keys = {
  enter: "\r",
  up: "\u001b[A",
  down: "\u001b[B",
  backspace: "\u007f",
  tab: "\t",
  space: " ",
  ctrlC: "\u0003",
  escape: "\u001b",
} as const;

export interface TerminalOptions {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

export interface Terminal {
  /**
   * The lines on the screen and above it, without trailing blanks. A line that the terminal has
   * wrapped is one line, so the length of a temporary folder's name does not matter.
   */
  text(): string;
  /** Everything that was written so far, with escape sequences. */
  raw(): string;
  /**
   * Waits until the screen shows the prompt, and then types the texts; see `keys`. What is typed
   * before its prompt can get lost.
   */
  answer(prompt: string | RegExp, ...texts: string[]): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Sends the program a signal. */
  signal(name: NodeJS.Signals): void;
  /**
   * Waits until the screen shows the text. Throws an error with the screen's content if the text
   * does not appear in time.
   */
  shows(text: string | RegExp): Promise<void>;
  /**
   * Waits for the exit status, which is 128 plus the signal's number if a signal ended the program.
   */
  ended: Promise<number>;
}

/** Starts `bin/platformctl <words>` in a terminal. The program is killed when the test ends. */
export function openTerminal(words: string[], options: TerminalOptions = {}): Terminal {
  return openProgram(join(bin, "platformctl"), words, options);
}

/** Starts any program in a terminal. */
export function openProgram(
  program: string,
  words: string[],
  { env = {}, columns = 100, rows = 30 }: TerminalOptions = {},
): Terminal {
  const screen = new Screen({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  const pty = spawn(program, words, {
    cols: columns,
    rows,
    name: "xterm-256color",
    env: { TERM: "xterm-256color", ...cleanEnv({ ...databaseEnv(words), ...env }) },
  });
  let raw = "";
  let running = true;
  pty.onData((data) => {
    raw += data;
    screen.write(data);
  });
  // A program may query the terminal, for example for the cursor position.
  screen.onData((answer) => pty.write(answer));
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      running = false;
      // Resolves once the screen shows everything that was written.
      screen.write("", () => resolve(signal ? 128 + signal : exitCode));
    });
  });
  const killNow = () => {
    if (running) pty.kill("SIGKILL");
  };
  process.once("exit", killNow);
  onTestFinished(async () => {
    process.off("exit", killNow);
    killNow();
    await ended;
    screen.dispose();
  });
  const text = () => {
    const { active } = screen.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at++) {
      const isContinued = active.getLine(at + 1)?.isWrapped ?? false;
      const shown = active.getLine(at)?.translateToString(!isContinued) ?? "";
      if (active.getLine(at)?.isWrapped) lines.push(`${lines.pop()}${shown}`);
      else lines.push(shown);
    }
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  };
  const matches = (wanted: string | RegExp) =>
    typeof wanted === "string" ? text().includes(wanted) : wanted.test(text());
  const shows = async (wanted: string | RegExp) => {
    await until(`the terminal shows ${wanted}`, () => matches(wanted)).catch((cause) => {
      throw new Error(`${cause.message}; it shows:\n${text()}`, { cause });
    });
  };
  return {
    text,
    raw: () => raw,
    async answer(prompt, ...texts) {
      await shows(prompt);
      for (const typed of texts) pty.write(typed);
    },
    resize(newColumns, newRows) {
      pty.resize(newColumns, newRows);
      screen.resize(newColumns, newRows);
    },
    signal: (name) => pty.kill(name),
    shows,
    ended,
  };
}
