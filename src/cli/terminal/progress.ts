// Shows an animated line on stderr during a wait, if there is a terminal.

import { printableLine } from "../output/printable.ts";
import type { Io } from "./io.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface Progress extends Disposable {
  say(text: string): void;
}

/** `waitSeconds` is the longest time that the wait can take. */
export function startProgress(io: Io, text: string, waitSeconds?: number): Progress {
  if (!io.interactive) return silentProgress;
  const started = performance.now();
  let current = text;
  let frame = 0;
  const draw = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    const time =
      waitSeconds === undefined ? `${seconds}s` : `(waited ${seconds}s of ${waitSeconds}s)`;
    frame = (frame + 1) % frames.length;
    io.showLine(fitting(`${frames[frame]} ${printableLine(current)}`, ` ${time}`));
  };
  const timer = setInterval(draw, 100);
  draw();
  return {
    say(next) {
      current = next;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      io.showLine("");
    },
  };
}

const nothing = () => undefined;

export const silentProgress: Progress = { say: nothing, [Symbol.dispose]: nothing };

/** Shortens the text to one line of the terminal, because only one line can be cleared. */
function fitting(text: string, end: string): string {
  const room = (process.stderr.columns ?? 80) - 1 - end.length;
  return (text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text) + end;
}
