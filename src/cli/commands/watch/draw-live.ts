// Draws a live view on the whole terminal, until a key or a signal ends it.

import type { Client } from "../../../client/client.ts";
import { keepWatching, type News } from "../../../client/keep-watching.ts";
import type { StreamType } from "../../../domain/stream.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { openScreen, type Screen } from "../../terminal/screen.ts";
import { frameOf } from "./frame.ts";
import { readNumbers, readSnapshot } from "./snapshot.ts";
import { type Connection, WatchState } from "./state.ts";

const leastPauseMs = 250;
/** The longest time between two frames, because the view shows relative times. */
const tickMs = 1000;
/**
 * The time between two reads of the counts and agents, depending on whether anything has changed.
 */
const renewMs = { changed: 2_000, unchanged: 15_000 };

/** Draws nothing before the first connection has succeeded. */
export async function drawLive(
  io: Io,
  api: Client,
  types: readonly StreamType[],
  interrupted: AbortSignal,
): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([interrupted, quit.signal]);
  const state = new WatchState();
  const onOpen = async () => state.begin(await readSnapshot(api, types, signal));
  const news = keepWatching(api, { types, onOpen, signal, random: Math.random });
  state.connection = await firstConnection(io, api, news);
  const screen = openScreen({
    onKey: (name) => name === "q" && quit.abort(),
    onResize: () => view.changed(),
  });
  const view = drawing(io, screen, (size) =>
    frameOf(state, { ...size, types, target: api.target, hint: "Press q to quit" }),
  );
  const renewal = renewing(state, () => readNumbers(api, types, signal), view.changed);
  try {
    for await (const each of news) {
      if (each.kind !== "message") state.connection = each;
      else if (state.apply(each.message)) renewal.isDue = true;
      view.changed();
    }
  } catch (error) {
    if (interrupted.aborted || !quit.signal.aborted) throw error;
  } finally {
    renewal.stop();
    view.stop();
    screen.leave();
  }
}

/** Throws if the first connection fails. */
async function firstConnection(
  io: Io,
  api: Client,
  news: AsyncGenerator<News>,
): Promise<Connection> {
  using _ = startProgress(io, `connecting to ${printableLine(api.target)}`);
  const { value } = await news.next();
  return value.kind === "lost" ? value : { kind: "live" };
}

type Size = Pick<Parameters<typeof frameOf>[1], "columns" | "rows" | "colour" | "now">;

function drawing(io: Io, screen: Screen, linesOf: (size: Size) => string[]) {
  let drawnAt = 0;
  let soon: NodeJS.Timeout | null = null;
  function draw(): void {
    soon = null;
    drawnAt = performance.now();
    // A slow terminal gets fewer frames, not a queue of old frames.
    if (screen.isBusy) return;
    const { columns, rows } = screen;
    screen.draw(linesOf({ columns, rows, colour: io.colour, now: io.now() }));
  }
  function changed(): void {
    const waitMs = Math.max(0, leastPauseMs - (performance.now() - drawnAt));
    soon ??= setTimeout(draw, waitMs);
  }
  const ticking = setInterval(changed, tickMs);
  draw();
  return {
    changed,
    stop() {
      clearInterval(ticking);
      if (soon) clearTimeout(soon);
    },
  };
}

/** Reads what changes without a message: the counts, and when agents were last seen. */
function renewing(
  state: WatchState,
  read: () => ReturnType<typeof readNumbers>,
  changed: () => void,
) {
  let passedMs = 0;
  let timer = setTimeout(renew, renewMs.changed);
  let isStopped = false;
  const renewal = {
    /** Whether something has changed since the last read. */
    isDue: false,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
  async function renew(): Promise<void> {
    passedMs += renewMs.changed;
    if (state.connection?.kind === "live" && (renewal.isDue || passedMs >= renewMs.unchanged)) {
      renewal.isDue = false;
      passedMs = 0;
      try {
        state.renew(await read());
        changed();
      } catch {
        // The stream reports a lost connection. Until then, the read is tried again.
        renewal.isDue = true;
      }
    }
    if (!isStopped) timer = setTimeout(renew, renewMs.changed);
  }
  return renewal;
}
