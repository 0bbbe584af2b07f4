// Reads a command's output; with `follow`, until the command has ended. A restart of the server
// does not end the reading.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { longestWait, timeoutForWait } from "../../connecting/waits.ts";
import type { Io } from "../../terminal/io.ts";
import type { NoteOptions } from "../../terminal/notes.ts";
import { silentProgress } from "../../terminal/progress.ts";
import type { OutputSink } from "./output-sink.ts";

type CommandOutput = Reply<"commands.output">;

interface OutputReading {
  io: Io;
  api: Client;
  signal: AbortSignal;
  options: NoteOptions;
  commandId: string;
  /** Whether to wait for more until the command has ended. */
  follow: boolean;
  take: OutputSink["take"];
  /** By default, sends each request at once, and retries it during an outage. */
  read?: ReadPage;
}

/** Makes a request that waits for at most this many seconds. */
export type ReadPage = (
  request: (waitSeconds: number) => Promise<CommandOutput>,
) => Promise<CommandOutput>;

/** Returns the command's status after the last part. */
export async function readOutput(reading: OutputReading): Promise<CommandOutput["status"]> {
  const { api, commandId, follow, take } = reading;
  const { read = patiently(reading) } = reading;
  let after = 0;
  let waits = false;
  while (true) {
    const page = await read((seconds) => {
      const wait = waits ? seconds : 0;
      const input = { params: { commandId }, query: { after, wait } };
      return api.call("commands.output", input, timeoutForWait(wait));
    });
    await take(page.parts, page.complete);
    if (page.complete || (!follow && page.parts.length === 0)) return page.status;
    after = page.nextOffset;
    waits = follow;
  }
}

function patiently(reading: OutputReading): ReadPage {
  const deadline = Number.POSITIVE_INFINITY;
  const outlast = outlastOutages({ ...reading, deadline, progress: silentProgress });
  return (request) => outlast(() => request(longestWait));
}
