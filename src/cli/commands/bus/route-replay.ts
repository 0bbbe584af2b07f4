// `platformctl routes test … --since`: what a route would have done with the events that came in.

import type { BodyInput, ReplyData } from "../../../api/contract/route.ts";
import type { Routes } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { addSummary, emptySummary } from "../../../domain/bus/replays.ts";
import { replayLimit } from "../../../domain/limits.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { pastMoment } from "../../output/moments.ts";
import { isForPeople, type OutputOptions } from "../../output/output.ts";
import { unlessAborted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { endsWithSummary, replayWriter, summaryLine } from "./replay-writer.ts";
import { withLines } from "./route-file.ts";
import type { Rule } from "./saved-route.ts";
import { namedRoute, noteDisabled, openTestedRoute, type TestedRoute } from "./tested-route.ts";

type Body = BodyInput<Routes["bus-routes.replay"]>;
type Page = ReplyData<Routes["bus-routes.replay"]>;
type Window = { from: string; to?: string };

/** It is a report: whatever would have come of the events, it ends 0. */
export async function replayRoute(invocation: Invocation): Promise<number> {
  const { io, options, signal, client } = invocation;
  const output = options as OutputOptions;
  const named = namedRoute(invocation);
  const window = windowOf(io, options);
  const onlyMatched = options.matched === true;
  const api = await client();
  const tested = await openTestedRoute(io, api, named, signal);
  const writer = replayWriter(io, output, "saved" in tested);
  const summary = emptySummary("saved" in tested);
  const write = (text: string) => unlessAborted(io.outBytes(Buffer.from(text)), signal);
  let oldestEventAt: string | null = null;
  const progress = startProgress(io, "replaying");
  try {
    for await (const page of pagesOf(api, tested, { ...window, onlyMatched })) {
      oldestEventAt = page.oldestEventAt;
      addSummary(summary, page.summary);
      progress.say(`replaying: ${summaryLine(summary).trimEnd()}`);
      if (page.events.length === 0) continue;
      progress.hide();
      await write(writer.events(page.events));
    }
  } finally {
    progress.stop();
  }
  await write(writer.end({ summary, oldestEventAt }));
  if (!endsWithSummary(output)) io.note(summaryLine(summary));
  if (isForPeople(output)) {
    noteOldest(io, window, oldestEventAt);
    if (summary.matched > 0) noteDisabled(io, tested);
  }
  return exit.done;
}

function windowOf(io: Io, options: Record<string, unknown>): Window {
  const { since, until, event, eventId } = options as Record<string, string | undefined>;
  if (event !== undefined || eventId !== undefined) {
    const flag = event === undefined ? "--event-id" : "--event";
    throw usageError(`${flag} names one event, --since those of a time: give one of them.`);
  }
  if (since === undefined) throw usageError("say from when on, too: --since 24h, or a time.");
  const now = io.now();
  const from = pastMoment("--since", since, now);
  if (Date.parse(from) > now) throw usageError(`--since ${since} is yet to come.`);
  if (until === undefined) return { from };
  const to = pastMoment("--until", until, now);
  if (to > from) return { from, to };
  throw usageError(`--until (${to}) must be later than --since (${from}).`);
}

async function* pagesOf(
  api: Client,
  tested: TestedRoute,
  asked: Omit<Body, "route" | "routeId">,
): AsyncGenerator<Page, void> {
  const body: Body = { ...asked, ...routeOf(tested), limit: replayLimit.max };
  const ask = () => api.call("bus-routes.replay", { body });
  while (true) {
    const page = await ("saved" in tested ? ask() : withLines(tested.path, tested.file, ask));
    yield page;
    if (page.nextCursor === null) return;
    body.cursor = page.nextCursor;
  }
}

function routeOf(tested: TestedRoute): Pick<Body, "route" | "routeId"> {
  if ("saved" in tested) return { routeId: tested.saved.id };
  return { route: tested.file.rule as unknown as Rule };
}

/** What is gone cannot be replayed: it is said where the window begins earlier. */
function noteOldest(io: Io, { from }: Window, oldestEventAt: string | null): void {
  if (oldestEventAt === null) io.note("\nNo events are kept at all.\n");
  else if (oldestEventAt > from)
    io.note(`\nThe oldest event that is kept is of ${oldestEventAt}.\n`);
}
