// `platformctl watch`: drawn on a terminal, a JSON line for each message elsewhere, or once and no more.

import type { Client } from "../../../client/client.ts";
import { keepWatching } from "../../../client/keep-watching.ts";
import { type StreamType, streamTypes } from "../../../domain/stream.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { toJson } from "../../output/json.ts";
import { printableLine } from "../../output/printable.ts";
import { unlessAborted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { drawLive } from "./draw-live.ts";
import { frameOf } from "./frame.ts";
import { readSnapshot } from "./snapshot.ts";
import { WatchState } from "./state.ts";

interface Options {
  types?: string;
  once?: boolean;
  output?: "table" | "json" | "jsonl";
}

/** Of a view that is not drawn on a terminal. */
const onceSize = { columns: 100, rows: 40 };

/** 0 when `q` ends it. */
export async function watch({ io, options, client, signal }: Invocation): Promise<number> {
  const { types: named, once = false, output } = options as Options;
  const types = typesOf(named);
  if (output === "table" && !once && !io.canDraw) {
    throw usageError(
      "-o table draws on a terminal, and this is none: add --once, or use -o jsonl.",
    );
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
  throw usageError(`there is no type ${unknown}; there are: ${streamTypes.join(", ")}.`);
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

/** As they come; those that are missed while the connection is lost are not told. */
async function printMessages(
  io: Io,
  api: Client,
  types: readonly StreamType[],
  signal: AbortSignal,
): Promise<never> {
  const options = { types, onOpen: async () => undefined, signal, random: Math.random };
  let isLost = false;
  for await (const news of keepWatching(api, options)) {
    if (news.kind === "message") {
      const line = Buffer.from(`${toJson(news.message)}\n`);
      await unlessAborted(io.outBytes(line), signal);
    } else if (news.kind === "lost") {
      if (!isLost) io.note(`Not live: ${printableLine(news.reason)}. Trying again.\n`);
      isLost = true;
    } else if (isLost) {
      io.note("Live again; what happened meanwhile is not told.\n");
      isLost = false;
    }
  }
  throw signal.reason;
}
