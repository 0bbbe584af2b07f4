// The value of `--expires`: a duration, a time, or never.

import { parseDurationSeconds } from "../lib/duration.ts";
import { usageError } from "./exit.ts";
import { parseTime, withUnit } from "./output/moments.ts";

export type Expiry = { expiresInSeconds: number } | { expiresAt: string } | Record<string, never>;

/** Fields for the API; empty without the flag. Throws a usage error. */
export function expiryOf(text: string | undefined): Expiry {
  if (text === undefined) return {};
  if (text === "never") return { expiresInSeconds: 0 };
  const expiresAt = parseTime(text);
  if (expiresAt !== null) return { expiresAt };
  const seconds = withUnit(text) ? parseDurationSeconds(text) : null;
  if (seconds) return { expiresInSeconds: seconds };
  throw usageError(
    "--expires must be a duration such as 24h, a time such as 2026-12-31T08:00:00Z, or never, " +
      `not ${text}.`,
  );
}
