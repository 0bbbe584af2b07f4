// A line on stderr that moves while something is waited for; nothing at all when nobody looks.

import type { Io } from "./io.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface Progress {
  /** What is going on now. */
  say(text: string): void;
  stop(): void;
}

export function startProgress(io: Io, text: string): Progress {
  if (!io.interactive) return { say: () => undefined, stop: () => undefined };
  const started = io.now();
  let current = text;
  let frame = 0;
  const draw = () => {
    const seconds = Math.floor((io.now() - started) / 1000);
    frame = (frame + 1) % frames.length;
    io.note(`\r\u001b[2K${frames[frame]} ${current} ${seconds}s`);
  };
  const timer = setInterval(draw, 100);
  draw();
  return {
    say(next) {
      current = next;
    },
    stop() {
      clearInterval(timer);
      io.note("\r\u001b[2K");
    },
  };
}
