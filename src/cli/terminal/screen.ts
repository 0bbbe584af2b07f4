// Draws on the whole terminal, and restores the terminal however the program ends.

import { emitKeypressEvents, type Key } from "node:readline";

interface ScreenListeners {
  /** The key's name without Ctrl or Alt, in lower case. Ctrl-C arrives as SIGINT. */
  onKey: (name: string) => void;
  onResize: () => void;
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Whether the terminal has not yet received the last drawing. */
  readonly isBusy: boolean;
  /** Shows these lines, which must fit. Writes only the lines that differ. */
  draw(lines: readonly string[]): void;
  leave(): void;
}

const codes = {
  // Turns off line wrapping, because only the terminal knows the width of a character.
  enter: "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J",
  leave: "\u001b[?7h\u001b[?25h\u001b[?1049l",
  clear: "\u001b[2J",
  /** Terminals that support this code show everything up to `end` at once. */
  begin: "\u001b[?2026h",
  end: "\u001b[?2026l",
  clearLine: "\u001b[2K",
} as const;

const endings = ["SIGTERM", "SIGHUP"] as const;

/** Requires `io.canDraw`. */
export function openScreen({ onKey, onResize }: ScreenListeners): Screen {
  const { stdin, stdout } = process;
  let shown: readonly string[] = [];
  let isOpen = false;

  function enter(): void {
    isOpen = true;
    shown = [];
    stdout.write(codes.enter);
    if (stdin.isTTY) stdin.setRawMode(true).resume();
  }
  function suspendDrawing(): void {
    if (!isOpen) return;
    isOpen = false;
    if (stdin.isTTY) stdin.setRawMode(false).pause();
    stdout.write(codes.leave);
  }
  function resized(): void {
    shown = [];
    if (isOpen) stdout.write(codes.clear);
    onResize();
  }
  function pressed(_text: string | undefined, key: Key): void {
    const name = key.name?.toLowerCase() ?? "";
    if (key.ctrl && name === "c") interrupt();
    else if (key.ctrl && name === "z") stopForAWhile();
    else if (!key.ctrl && !key.meta) onKey(name);
  }
  /** Does what the terminal itself does when it is not in raw mode. */
  function interrupt(): void {
    if (process.listenerCount("SIGINT") > 0) process.emit("SIGINT");
    else process.exit(130);
  }
  function stopForAWhile(): void {
    suspendDrawing();
    process.once("SIGCONT", () => {
      enter();
      onResize();
    });
    process.kill(process.pid, "SIGTSTP");
  }
  function ended(signal: NodeJS.Signals): void {
    leave();
    process.kill(process.pid, signal);
  }
  function leave(): void {
    suspendDrawing();
    stdin.off("keypress", pressed);
    stdout.off("resize", resized);
    process.off("exit", leave);
    for (const signal of endings) process.off(signal, ended);
  }

  if (stdin.isTTY) emitKeypressEvents(stdin);
  stdin.on("keypress", pressed);
  stdout.on("resize", resized);
  process.on("exit", leave);
  for (const signal of endings) process.on(signal, ended);
  enter();
  return {
    get columns() {
      return stdout.columns;
    },
    get rows() {
      return stdout.rows;
    },
    get isBusy() {
      return stdout.writableLength > 0;
    },
    draw(lines) {
      if (!isOpen) return;
      const changes = Array.from({ length: Math.max(lines.length, shown.length) }, (_, at) => {
        const line = lines[at] ?? "";
        if (line === shown[at]) return "";
        // Clears first, because clearing after a full line would remove the line's last character.
        return `\u001b[${at + 1};1H${codes.clearLine}${line}`;
      });
      shown = lines;
      const text = changes.join("");
      if (text !== "") stdout.write(codes.begin + text + codes.end);
    },
    leave,
  };
}
