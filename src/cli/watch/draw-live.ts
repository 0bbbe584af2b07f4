// A live view on the whole terminal, from the first connection until somebody leaves it.

import type { Client } from "../../client/client.ts";
import { keepWatching } from "../../client/keep-watching.ts";
import type { StreamType } from "../../domain/stream.ts";
import type { Io } from "../io.ts";
import { printableLine } from "../printable.ts";
import { startProgress } from "../progress.ts";
import { openScreen } from "../screen.ts";
import { LiveView } from "./live-view.ts";
import { Renewal } from "./renewal.ts";
import { readSnapshot } from "./snapshot.ts";
import { WatchState } from "./state.ts";

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
  const progress = startProgress(io, `connecting to ${printableLine(api.target)}`);
  let view: LiveView | null = null;
  let leave = () => progress.stop();
  const onOpen = async () => state.begin(await readSnapshot(api, types, signal));
  const options = { types, onOpen, signal, random: Math.random };
  try {
    for await (const news of keepWatching(api, options)) {
      if (!view) {
        progress.stop();
        const screen = openScreen({
          onKey: (name) => name === "q" && quit.abort(new Error("q")),
          onResize: () => view?.changed(),
        });
        const drawn = new LiveView({ io, screen, state, types, target: api.target });
        view = drawn;
        renewal.start(() => drawn.changed());
        leave = () => {
          drawn.close();
          screen.leave();
        };
      }
      if (news.kind !== "message") state.connection = news;
      else if (state.hear(news.message)) renewal.isDue = true;
      view.changed();
    }
  } catch (error) {
    if (!quit.signal.aborted || interrupted.aborted) throw error;
  } finally {
    renewal.stop();
    leave();
  }
}
