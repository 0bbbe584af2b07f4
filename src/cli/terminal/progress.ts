// A line on stderr that moves while something is waited for; nothing at all when nobody looks.

import { printableLine } from "../output/printable.ts";
import type { Io } from "./io.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface Progress {
  /** What is going on now. */
  say(text: string): void;
  /** Clears the line until it moves again: for what is printed meanwhile. */
  hide(): void;
  /** Clears the line for good. */
  stop(): void;
}

/** `atMostSeconds`: how long it may take, shown behind the time that has passed. */
export function startProgress(io: Io, text: string, atMostSeconds?: number): Progress {
  if (!io.interactive) return { say: nothing, hide: nothing, stop: nothing };
  const started = io.now();
  let current = text;
  let frame = 0;
  const draw = () => {
    const seconds = Math.floor((io.now() - started) / 1000);
    const time = atMostSeconds === undefined ? `${seconds}s` : `${seconds}s of ${atMostSeconds}s`;
    frame = (frame + 1) % frames.length;
    io.note(`\r\u001b[2K${fitting(`${frames[frame]} ${printableLine(current)}`, ` ${time}`)}`);
  };
  const clear = () => io.note("\r\u001b[2K");
  const timer = setInterval(draw, 100);
  draw();
  return {
    say(next) {
      current = next;
    },
    hide: clear,
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

const nothing = () => undefined;

/** On one line of the terminal, or it could not be cleared; the end is kept. */
function fitting(text: string, end: string): string {
  const room = (process.stderr.columns ?? 80) - 1 - end.length;
  return (text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text) + end;
}
