// `platformctl __complete`, which the shells' completion scripts call at each Tab.

import type { LocalKind } from "../command.ts";
import type { ConnectOptions } from "../connecting/destination.ts";
import { printableLine } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import { splitLine } from "./shell-words.ts";
import { type Candidate, type Spot, spotOf } from "./spot.ts";

/** Nobody waits longer than this for a completion. */
const timeLimitMs = 1000;

/**
 * Prints candidates with their descriptions; or, for a file, `:files`, the beginning of the path,
 * and what precedes the path in the word. Tabs separate the parts. Prints nothing on failure.
 */
export async function answerCompletion(io: Io, words: string[]): Promise<number> {
  const { before, typed, settled } = lineOf(words);
  const spot = await spotOf(before, typed);
  if (spot.wants === "file") {
    io.out(`:files\t${spot.typed}\t${spot.kept.slice(settled)}\n`);
    return 0;
  }
  const candidates = await candidatesFor(io, spot);
  for (const { value, description } of candidates) {
    if (!value.startsWith(spot.typed) || printableLine(value) !== value) continue;
    const word = (spot.kept + value).slice(settled);
    io.out(description ? `${word}\t${printableLine(description)}\n` : `${word}\n`);
  }
  return 0;
}

/** Bash passes `--line`, the line up to the cursor, and the part of it to replace. */
function lineOf(words: string[]): { before: string[]; typed: string; settled: number } {
  if (words[0] === "--line") {
    const [, line = "", replaced = ""] = words;
    const { before, typed } = splitLine(line);
    // Bash splits words at more than spaces: in `--output=js` it replaces only `js`.
    const tail = splitLine(replaced).typed;
    const settled = typed.endsWith(tail) ? typed.length - tail.length : 0;
    return { before: before.slice(1), typed, settled };
  }
  return { before: words.slice(1, -1), typed: words.at(-1) ?? "", settled: 0 };
}

async function candidatesFor(io: Io, spot: Exclude<Spot, { wants: "file" }>): Promise<Candidate[]> {
  if (spot.wants === "words") return spot.words;
  if (spot.wants === "context") return contextsOf(io);
  return spot.wants === "names" ? askFor(io, spot) : localNames[spot.wants]();
}

const localNames: Record<LocalKind, () => Promise<Candidate[]>> = {
  async "agent-field"() {
    const { reference } = await import("../../agent/sidecar/index.ts");
    return reference().map(({ field, meaning }) => ({ value: field, description: meaning }));
  },
  async "doc-page"() {
    const { docPages } = await import("../commands/docs/pages.ts");
    return docPages().map(({ page, title }) => ({ value: page, description: title }));
  },
  async "error-code"() {
    const { explainedCodes } = await import("../commands/docs/explained-codes.ts");
    return explainedCodes().map(({ code, meaning }) => ({ value: code, description: meaning }));
  },
};

async function contextsOf(io: Io): Promise<Candidate[]> {
  try {
    const { readContexts } = await import("../connecting/contexts.ts");
    const { contexts } = readContexts({ ...io, note: () => undefined });
    return contexts.map(({ name, server }) => ({ value: name, description: server }));
  } catch {
    return [];
  }
}

/** Returns null unless the next word is a name that the server knows. */
export async function namesAt(io: Io, words: string[]) {
  const spot = await spotOf(words, "");
  if (spot.wants !== "names") return null;
  return { of: spot.of, names: (await askFor(io, spot)).map(({ value }) => value) };
}

/** Returns no names if the server or the database takes too long. */
async function askFor(io: Io, spot: Spot & { wants: "names" }): Promise<Candidate[]> {
  const silent: Io = { ...io, interactive: false, note: () => undefined };
  const signal = AbortSignal.timeout(timeLimitMs);
  const options = spot.given.options as ConnectOptions;
  try {
    const { connect } = await import("../connecting/connect.ts");
    const { namesOf } = await import("./names.ts");
    const client = await connect(silent, options, signal, timeLimitMs);
    try {
      return await namesOf(spot.of, client, spot.typed, spot.given);
    } finally {
      await client.close();
    }
  } catch {
    return [];
  }
}
