// A live view on the whole terminal, from the first connection until somebody leaves it.

import type { Client } from "../../../client/client.ts";
import { keepWatching, type News } from "../../../client/keep-watching.ts";
import type { StreamType } from "../../../domain/stream.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { openScreen } from "../../terminal/screen.ts";
import { LiveView } from "./live-view.ts";
import { Renewal } from "./renewal.ts";
import { readSnapshot } from "./snapshot.ts";
import { type Connection, WatchState } from "./state.ts";

/** Until a key or the signal ends it. The first connection must succeed before anything is drawn. */
export async function drawLive(
  io: Io,
  api: Client,
  types: readonly StreamType[],
  interrupted: AbortSignal,
): Promise<void> {
  const quit = new AbortController();
  const signal = AbortSignal.any([interrupted, quit.signal]);
  const state = new WatchState();
  const renewal = new Renewal(api, types, state, signal);
  const onOpen = async () => state.begin(await readSnapshot(api, types, signal));
  const news = keepWatching(api, { types, onOpen, signal, random: Math.random });
  state.connection = await firstOf(io, api, news);
  const screen = openScreen({
    onKey: (name) => name === "q" && quit.abort(),
    onResize: () => view.changed(),
  });
  const view = new LiveView({ io, screen, state, types, target: api.target });
  renewal.start(() => view.changed());
  try {
    for await (const each of news) {
      if (each.kind !== "message") state.connection = each;
      else if (state.hear(each.message)) renewal.isDue = true;
      view.changed();
    }
  } catch (error) {
    if (interrupted.aborted || !quit.signal.aborted) throw error;
  } finally {
    renewal.stop();
    view.close();
    screen.leave();
  }
}

/** That it is live; throws when it cannot be. */
async function firstOf(io: Io, api: Client, news: AsyncGenerator<News>): Promise<Connection> {
  const progress = startProgress(io, `connecting to ${printableLine(api.target)}`);
  try {
    const { value } = await news.next();
    return value.kind === "lost" ? value : { kind: "live" };
  } finally {
    progress.stop();
  }
}
