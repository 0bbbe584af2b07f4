// Whether a command has printed what the manual says, but for what differs from run to run: ids, secrets,
// times, durations, ports, the width of columns. An id of the manual stands for one id of the run, always
// the same; `…` stands for anything in a line, and for any lines when it is alone in one.

import type { Example } from "./document.ts";

/** What the manual calls something, and what the run calls it. */
export class Pairs {
  readonly #real = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  /** False when either is the partner of another already. */
  join(shown: string, real: string): boolean {
    const before = this.#real.get(shown);
    if (before !== undefined || this.#shown.has(real)) return before === real;
    this.#real.set(shown, real);
    this.#shown.set(real, shown);
    return true;
  }

  /** A command of the manual with the run's ids. */
  toReal(command: string): string {
    return command.replace(lasting, (shown) => this.#real.get(shown) ?? shown);
  }

  /** A line of the run with the manual's ids, where it has any for them. */
  toShown(line: string): string {
    return line.replace(lasting, (real) => this.#shown.get(real) ?? real);
  }
}

/** Ids, tokens and keys: what one copies from one command into the next. */
const lasting = /\b(?:[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}|platform_[a-z]+_[0-9A-Za-z]{20,})\b/g;

const passing: [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\b\d{8}-\d{6}\b/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?\b/g, "<time>"],
  [/\bnow\b|\bin \d+[smhd]\b|\b\d+[smhd] ago\b/g, "<when>"],
  [/\b\d+(\.\d+)?(ms| ms|s| s)(?=$|[\s,;.)])/g, "<duration>"],
  [/\bhttp:\/\/127\.0\.0\.1:\d+/g, "<url>"],
  [/\b[0-9a-f]{64}\b/g, "<hash>"],
  [/\b\d+(h(\d+m)?|m(\d+s)?)\b/g, "<duration>"],
  [/\b\d+(\.\d+)? (B|kB|KiB|MiB|GiB)(?=$|[\s,;.)])/g, "<size>"],
  [/\b\d+\.\d+\.\d+(-\w+)?\b/g, "<version>"],
  [/\brow \d+\b|\b\d+ rows\b/g, "<row>"],
  [/\s+/g, " "],
];

/**
 * Throws when a command has an id that no output before it shows: it stands for nothing in any run, and what
 * is said of nothing is always the same.
 */
export function checkOrigins(examples: readonly Example[]): void {
  const shown = new Set<string>();
  for (const { command, output, at } of examples) {
    for (const id of command.match(lasting) ?? []) {
      if (!shown.has(id)) throw new Error(`line ${at + 1}: no output before it shows ${id}`);
    }
    for (const id of output?.join("\n").match(lasting) ?? []) shown.add(id);
  }
}

/** Whether the lines are alike. Ids that meet in them are joined. */
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
