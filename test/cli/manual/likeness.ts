// Decides whether a command has printed what the manual shows. Times, sizes, ports and column
// widths may differ, and each id in the manual represents one id of the run. `…` represents any
// text in its line, or any lines if it is alone.

import type { Example } from "./document.ts";

/** Pairs the manual's ids with the ids of the run. */
export class Pairs {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  /** Returns false if one of the ids already has another partner. */
  join(shown: string, real: string): boolean {
    const before = this.#real.get(shown);
    if (before !== undefined || this.#shown.has(real)) return before === real;
    this.#real.set(shown, real);
    this.#shown.set(real, shown);
    return true;
  }

  shown(): Iterable<string> {
    return this.#real.keys();
  }

  toReal(command: string): string {
    return command.replace(lasting, (shown) => this.#real.get(shown) ?? shown);
  }

  toShown(line: string): string {
    return line.replace(lasting, (real) => this.#shown.get(real) ?? real);
  }
}

/** Matches ids, tokens and keys, which users copy from one command into the next. */
const lasting = /\b(?:[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|platform_[a-z]+_[0-9A-Za-z]{20,})\b/g;

const passing: [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\b\d{8}-\d{6}\b/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?\b/g, "<time>"],
  // A slow machine delays the calls by which an agent's clock is compared.
  [/\bclock +(exact|\S+ (ahead|behind))\b/g, "clock <skew>"],
  [/\bnow\b|\bin \d+[smhd](\d+[smh])?\b|\b\d+[smhd] ago\b/g, "<when>"],
  [/\b\d+(\.\d+)?(ms| ms|s| s)(?=$|[\s,:;.)])/g, "<duration>"],
  [/\bhttp:\/\/127\.0\.0\.1:\d+/g, "<url>"],
  [/\b[0-9a-f]{64}\b/g, "<hash>"],
  [/\b\d+(h(\d+m)?|m(\d+s)?)\b/g, "<duration>"],
  [/\b\d+(\.\d+)? (B|KiB|MiB|GiB)(?=$|[\s,;.)])/g, "<size>"],
  [/\b\d+\.\d+\.\d+(-\w+)?\b/g, "<version>"],
  // Whether a new command is already running depends on the agent's poll.
  [/\b(pending|running)\b/gi, "<open>"],
  // On a slow machine, an agent may be late and count as offline for a moment.
  [/\b\d+(\.\d+)?% of\b/g, "<share> of"],
  [/\brow \d+\b|\b\d+ rows\b/g, "<row>"],
  [/\s+/g, " "],
];

/**
 * Throws if a command has an id that no earlier output shows, and that therefore exists in no run.
 */
export function checkOrigins(examples: readonly Example[], before = new Pairs()): void {
  const shown = new Set(before.shown());
  for (const { command, output, at } of examples) {
    for (const id of command.match(lasting) ?? []) {
      if (!shown.has(id)) throw new Error(`line ${at + 1}: no output before it shows ${id}`);
    }
    for (const id of output?.join("\n").match(lasting) ?? []) shown.add(id);
  }
}

/** Returns whether the lines are alike, and pairs their ids. */
export function areAlike(shown: string[], real: string[], pairs: Pairs): boolean {
  const [line, ...rest] = shown;
  if (line === undefined) return real.length === 0;
  if (line.trim() === "…") {
    return real.some((_, at) => areAlike(rest, real.slice(at), pairs)) || rest.length === 0;
  }
  const [other, ...others] = real;
  return other !== undefined && isAlike(line, other, pairs) && areAlike(rest, others, pairs);
}

function isAlike(shown: string, real: string, pairs: Pairs): boolean {
  const pattern = masked(shown).split("…").map(escaped).join(".*");
  if (!new RegExp(`^${pattern}$`).test(masked(real))) return false;
  if (shown.includes("…")) return true;
  const reals = real.match(lasting) ?? [];
  return (shown.match(lasting) ?? []).every((id, at) => pairs.join(id, reals[at] ?? ""));
}

function masked(line: string): string {
  const kinds = line.replace(lasting, (id) => `<${id.slice(0, id.lastIndexOf("_"))}>`);
  return passing.reduce((text, [pattern, name]) => text.replace(pattern, name), kinds).trimEnd();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
