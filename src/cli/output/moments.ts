// Parses points in time: a time, how long ago, how long from now, or `today`.

import { parsePastMoment, parseSpanSeconds, parseTime } from "../../lib/moments.ts";
import { usageError } from "../exit.ts";

/** Parses the value of `--from` or `--to`. */
export function pastMoment(flag: string, text: string, now: number): string {
  const moment = parsePastMoment(text, now);
  if (moment !== null) return moment;
  throw usageError(
    `${flag} must be a time such as 2026-01-31T08:00:00Z, or how long ago, such as 24h, not ${text}.`,
  );
}

type Expiry = { expiresInSeconds: number } | { expiresAt: string } | Record<string, never>;

export function expiryOf(text: string | undefined): Expiry {
  if (text === undefined) return {};
  if (text === "never") return { expiresInSeconds: 0 };
  const expiresAt = parseTime(text);
  if (expiresAt !== null) return { expiresAt };
  const seconds = parseSpanSeconds(text);
  if (seconds) return { expiresInSeconds: seconds };
  throw usageError(
    "--expires must be a duration such as 24h, a time such as 2026-12-31T08:00:00Z, or never, " +
      `not ${text}.`,
  );
}
