// Draws what a live view knows, a few times a second at most, and when only the time goes on once.

import type { StreamType } from "../../../domain/stream.ts";
import type { Io } from "../../terminal/io.ts";
import type { Screen } from "../../terminal/screen.ts";
import { frameOf } from "./frame.ts";
import type { WatchState } from "./state.ts";

const drawMs = 250;
const tickMs = 1000;

export interface LiveViewOptions {
  io: Io;
  screen: Screen;
  state: WatchState;
  types: readonly StreamType[];
  target: string;
}

export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #ticking: NodeJS.Timeout;
  #drawing: NodeJS.Timeout | null = null;
  #drawnAt = 0;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.#ticking = setInterval(() => this.changed(), tickMs);
    this.#draw();
  }

  /** Draws soon. */
  changed(): void {
    if (this.#drawing) return;
    const passed = this.#options.io.now() - this.#drawnAt;
    // The clock may have been set back.
    const waitMs = passed < 0 ? drawMs : Math.max(0, drawMs - passed);
    this.#drawing = setTimeout(() => this.#draw(), waitMs);
  }

  close(): void {
    clearInterval(this.#ticking);
    if (this.#drawing) clearTimeout(this.#drawing);
  }

  #draw(): void {
    const { io, screen, state, types, target } = this.#options;
    this.#drawing = null;
    this.#drawnAt = io.now();
    // A slow line gets fewer pictures, not a queue of old ones.
    if (screen.isBusy) return;
    const { columns, rows } = screen;
    const { colour } = io;
    const hint = "q leaves";
    const frame = { columns, rows, types, target, colour, now: io.now(), hint };
    screen.draw(frameOf(state, frame));
  }
}
