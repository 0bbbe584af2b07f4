// `platformctl watch` draws a live view, or prints a JSON line for each message.

import type { Client } from "../../../client/client.ts";
import { keepWatching } from "../../../client/keep-watching.ts";
import { type StreamType, streamTypes } from "../../../domain/stream.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { toJson } from "../../output/json.ts";
import type { Io } from "../../terminal/io.ts";
import { connectionNotes } from "../audit/trail.ts";
import { drawLive } from "./draw-live.ts";
import { frameOf } from "./frame.ts";
import { readSnapshot } from "./snapshot.ts";
import { WatchState } from "./state.ts";

interface Options {
  types?: string;
  once?: boolean;
  output?: "table" | "json" | "jsonl";
}

/** The size of a view that is not on a terminal. */
const onceSize = { columns: 100, rows: 40 };

export async function watch({ io, options, client, signal }: Invocation): Promise<number> {
  const { types: named, once = false, output } = options as Options;
  const types = typesOf(named);
  if (output === "table" && !once && !io.canDraw) {
    throw usageError("-o table needs a terminal: add --once, or use -o jsonl.");
  }
  const api = await client();
  if (once) await showOnce(io, api, types, output, signal);
  else if (io.canDraw && (output ?? "table") === "table") await drawLive(io, api, types, signal);
  else await printMessages(io, api, types, signal);
  return exit.done;
}

function typesOf(text: string | undefined): readonly StreamType[] {
  if (text === undefined) return streamTypes;
  const wanted = text.split(",").map((type) => type.trim());
  const unknown = wanted.find((type) => !streamTypes.some((known) => known === type));
  if (unknown === undefined) return wanted as StreamType[];
  throw usageError(`there is no type ${unknown}; the types are ${streamTypes.join(", ")}.`);
}

async function showOnce(
  io: Io,
  api: Client,
  types: readonly StreamType[],
  output: Options["output"],
  signal: AbortSignal,
): Promise<void> {
  const snapshot = await readSnapshot(api, types, signal);
  if (output === "json" || output === "jsonl") {
    io.out(`${toJson(snapshot, output === "json" ? 2 : 0)}\n`);
    return;
  }
  const state = new WatchState();
  state.begin(snapshot);
  const size = { ...onceSize, ...(io.width === undefined ? {} : { columns: io.width }) };
  const { target } = api;
  const lines = frameOf(state, { ...size, types, target, colour: io.colour, now: io.now() });
  io.out(`${lines.join("\n").trimEnd()}\n`);
}

/** Messages that are sent while the connection is lost are not printed. */
async function printMessages(
  io: Io,
  api: Client,
  types: readonly StreamType[],
  signal: AbortSignal,
): Promise<never> {
  const options = { types, onOpen: async () => undefined, signal, random: Math.random };
  const noteConnection = connectionNotes(io, "events in the meantime are not printed");
  for await (const news of keepWatching(api, options)) {
    if (news.kind === "message") {
      const line = Buffer.from(`${toJson(news.message)}\n`);
      await orAborted(io.outBytes(line), signal);
    } else noteConnection(news);
  }
  throw signal.reason;
}
