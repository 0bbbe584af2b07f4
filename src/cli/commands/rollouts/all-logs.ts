// `rollouts logs` without a service: the output of all services, with the service's code before
// each line.

import { styleText } from "node:util";
import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { pageSize } from "../../../domain/limits.ts";
import { Slots } from "../../../lib/slots.ts";
import { orAborted, pauseOrAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { longestWait } from "../../connecting/waits.ts";
import { exit } from "../../exit.ts";
import { toJson } from "../../output/json.ts";
import { allRows } from "../../output/listing.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { noteFacts } from "../../terminal/notes.ts";
import { silentProgress } from "../../terminal/progress.ts";
import { type ReadPage, readOutput } from "../commands/follow-output.ts";
import type { LogsOptions } from "../commands/logs.ts";
import type { OutputPart } from "../commands/output-sink.ts";
import { layOutOutput, wholeLines } from "../commands/output-text.ts";
import type { RolloutDetail } from "./show.ts";
import { goesOn, isOver, lineOf, noteEnd } from "./watch.ts";

type Target = Reply<"rollouts.targets">[number];

/** How many requests are under way, or held by the server, at the same time. */
const atOnce = 10;
/** How long a request is held while others wait for their turn, in seconds. */
const shortWait = 1;
const lookEveryMs = 1000;

/**
 * Prints the output of the services in the order in which they run; with `--follow`, as it arrives,
 * until the rollout ends. Returns 0, or with `--follow` the same as `rollouts watch`.
 */
export async function showAllLogs(
  invocation: Invocation,
  api: Client,
  rolloutId: string,
): Promise<number> {
  const { io, signal } = invocation;
  const options = invocation.options as unknown as LogsOptions;
  const notes = { io, options: options.output === "text" ? {} : { output: options.output } };
  const shared = { ...notes, api, signal };
  const outlast = outlastOutages({
    ...shared,
    deadline: Number.POSITIVE_INFINITY,
    progress: silentProgress,
  });
  const params = { rolloutId };
  const readRollout = () => outlast(() => api.call("rollouts.get", { params }));
  const readTargets = (query: { page: number; pageSize: number }) =>
    outlast(() => api.page("rollouts.targets", { params, query }));
  const targets = await allRows(readTargets, ({ serviceId }) => serviceId);
  const print = printerFor(io, signal, options, targets);

  const slots = new Slots(atOnce);
  let reading = 0;
  const read: ReadPage = (request) =>
    outlast(() => slots.run(() => request(reading > atOnce ? shortWait : longestWait)));
  /** `take` gets each part of the target's output once and in order. */
  const readOne = async ({ commandId }: Target, take: ReturnType<typeof print>) => {
    if (commandId === null) return;
    reading++;
    const { follow = false } = options;
    await readOutput({ ...shared, commandId, follow, read, take }).finally(() => reading--);
  };

  async function showSoFar(): Promise<number> {
    const whole: object[] = [];
    await inOrder(targets, async (target) => {
      const parts: OutputPart[] = [];
      await readOne(target, async (more) => void parts.push(...more));
      return async () => {
        if (options.output === "json") whole.push(...parts.map((part) => partOf(target, part)));
        else await print(target)(parts, true);
      };
    });
    if (options.output === "json") io.out(`${toJson(whole, 2)}\n`);
    const rollout = await readRollout();
    if (!isOver(rollout) && io.interactive) {
      io.note(`It is ${rollout.state}: -f follows its output.\n`);
    }
    return exit.done;
  }

  async function followAll(): Promise<number> {
    const readers: Promise<void>[] = [];
    let problem: unknown = null;
    /** All targets before this position have a reader, or have ended without a command. */
    let position = 0;
    const follow = (target: Target) => {
      const reader = readOne(target, print(target)).catch((error: unknown) => {
        problem ??= error;
      });
      readers.push(reader);
    };
    const followStarted = async () => {
      while (position < targets.length) {
        const page = Math.floor(position / pageSize.max) + 1;
        const { data } = await readTargets({ page, pageSize: pageSize.max });
        const next = data.slice(position % pageSize.max);
        const waiting = next.findIndex(({ state }) => state === "WAITING");
        const started = waiting === -1 ? next : next.slice(0, waiting);
        started.forEach(follow);
        position += started.length;
        if (waiting !== -1 || next.length === 0) return;
      }
    };
    const noteState = (now: RolloutDetail) => {
      const { id, state } = now;
      noteFacts(io, notes.options, lineOf(now), { rollout: { id, state } });
    };
    let rollout = await readRollout();
    for (let before = ""; ; rollout = await readRollout()) {
      const { state, targets: counts } = rollout;
      if (targets.length - counts.WAITING > position) await followStarted();
      if (isOver(rollout)) break;
      if (state !== before && (state === "PAUSED" || state === "AWAITING_APPROVAL")) {
        noteState(rollout);
        if (state === "PAUSED") noteEnd(notes, rollout);
      }
      before = state;
      if (problem !== null) throw problem;
      await pauseOrAborted(lookEveryMs, signal);
    }
    await Promise.all(readers);
    if (problem !== null) throw problem;
    noteState(rollout);
    return noteEnd(notes, rollout);
  }

  if (!options.follow) return showSoFar();
  return followAll().catch((error: unknown) => {
    throw error instanceof Interrupted ? goesOn(rolloutId) : error;
  });
}

/** Starts `work` on a few items at once, but calls the functions that it returns in order. */
async function inOrder<T>(
  items: readonly T[],
  work: (item: T) => Promise<() => Promise<void>>,
): Promise<void> {
  const ahead: Promise<() => Promise<void>>[] = [];
  const next = async () => (await ahead.shift())?.();
  for (const item of items) {
    const begun = work(item);
    // A rejection is handled when the item's turn comes.
    begun.catch(() => undefined);
    ahead.push(begun);
    if (ahead.length >= atOnce) await next();
  }
  while (ahead.length > 0) await next();
}

function partOf({ serviceCode, commandId }: Target, part: OutputPart) {
  return { service: serviceCode, commandId, ...part };
}

/** Yellow is missing, because it marks stderr. */
const colours = ["cyan", "green", "magenta", "blue"] as const;

/** Returns a function that returns the sink of a target. The sink prints only whole lines. */
function printerFor(
  io: Io,
  signal: AbortSignal,
  { output, timestamps = false }: LogsOptions,
  targets: readonly Target[],
) {
  const width = Math.max(0, ...targets.map(({ serviceCode }) => serviceCode.length));
  const write = async (text: string) => {
    if (text !== "") await orAborted(io.outBytes(Buffer.from(text)), signal);
  };
  return (target: Target) => {
    const { serviceCode, position } = target;
    const plain = `${serviceCode.padEnd(width)}  | `;
    const colour = colours[position % colours.length] ?? "cyan";
    const prefix = io.colour ? styleText(colour, plain, { validateStream: false }) : plain;
    const layout = layOutOutput(io, timestamps);
    const lines = wholeLines();
    return async (parts: readonly OutputPart[], isComplete: boolean): Promise<void> => {
      const text =
        output === "text"
          ? prefixed(prefix, lines(layout.add(parts), isComplete))
          : parts.map((part) => `${toJson(partOf(target, part))}\n`).join("");
      await write(text);
    };
  };
}

/** Each line of `text` must end with a line feed. */
function prefixed(prefix: string, text: string): string {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => `${prefix}${line}\n`).join("");
}
