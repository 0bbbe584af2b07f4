// `platformctl routes test … --since`: shows what a route would have done with past events.

import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { addSummary, emptySummary } from "../../../domain/bus/replays.ts";
import { replayLimit } from "../../../domain/limits.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { pastMoment } from "../../output/moments.ts";
import { isForPeople } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";
import { startProgress } from "../../terminal/progress.ts";
import { endsWithSummary, replayWriter, summaryLine } from "./replay-writer.ts";
import { namedRoute, noteDisabled, openTestedRoute, type TestedRoute } from "./tested-route.ts";

type Window = { from: string; to?: string };

export async function replayRoute(invocation: Invocation): Promise<number> {
  const { io, options, signal, client } = invocation;
  const named = namedRoute(invocation);
  const window = windowOf(io, options);
  const onlyMatched = options.matched === true;
  const api = await client();
  const tested = await openTestedRoute(io, api, named, signal);
  const { route } = tested;
  const isSaved = "saved" in route;
  const which = isSaved ? { routeId: route.saved.id } : { route: route.rule };
  const writer = replayWriter(io, options, isSaved);
  const summary = emptySummary(isSaved);
  const write = (text: string) => orAborted(io.outBytes(Buffer.from(text)), signal);
  let oldestEventAt: string | null = null;
  const body = { ...window, ...which, onlyMatched, limit: replayLimit.max };
  {
    using progress = startProgress(io, "replaying");
    for await (const page of pagesOf(api, tested, body)) {
      oldestEventAt = page.oldestEventAt;
      addSummary(summary, page.summary);
      progress.say(`replaying: ${summaryLine(summary).trimEnd()}`);
      if (page.events.length === 0) continue;
      await write(writer.events(page.events));
    }
  }
  await write(writer.end({ summary, oldestEventAt }));
  if (!endsWithSummary(options)) io.note(summaryLine(summary));
  if (isForPeople(options)) {
    noteOldest(io, window, oldestEventAt);
    if (summary.matched > 0) noteDisabled(io, tested);
  }
  return exit.done;
}

function windowOf(io: Io, options: Record<string, unknown>): Window {
  const { since, until, event, eventId } = options as Record<string, string | undefined>;
  if (event !== undefined || eventId !== undefined) {
    const flag = event === undefined ? "--event-id" : "--event";
    throw usageError(`${flag} names one event and --since a period: give only one of the two.`);
  }
  if (since === undefined) throw usageError("also give the start: --since 24h, or a time.");
  const now = io.now();
  const from = pastMoment("--since", since, now);
  if (Date.parse(from) > now) throw usageError(`--since ${since} is in the future.`);
  if (until === undefined) return { from };
  const to = pastMoment("--until", until, now);
  if (to > from) return { from, to };
  throw usageError(`--until (${to}) must be later than --since (${from}).`);
}

async function* pagesOf(
  api: Client,
  tested: TestedRoute,
  body: Body<"bus-routes.replay">,
): AsyncGenerator<Reply<"bus-routes.replay">, void> {
  let cursor = body.cursor;
  do {
    const call = { body: { ...body, cursor } };
    const page = await tested.call(() => api.call("bus-routes.replay", call));
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Events at the start of the period may have been deleted. */
function noteOldest(io: Io, { from }: Window, oldestEventAt: string | null): void {
  if (oldestEventAt === null) io.note("\nNo events are stored.\n");
  else if (oldestEventAt > from) io.note(`\nThe oldest stored event is from ${oldestEventAt}.\n`);
}
