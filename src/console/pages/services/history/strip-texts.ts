// The text alternatives of a strip and its parts.

import { type EffectiveStatus, effectiveStatuses } from "../../../../domain/fleet/services.ts";
import type { Reply } from "../../../client/call.ts";
import { percent } from "../../../format/percent.ts";
import { statusText } from "../../../format/status.ts";
import { duration } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";

export type Part = Reply<"services.history">["days"][number];

const words = texts.services.history;

/** The worst status first. */
export const drawnStatuses = [
  "UNHEALTHY",
  "OFFLINE",
  "STALE",
  "UNKNOWN",
  "HEALTHY",
] as const satisfies readonly EffectiveStatus[];

/** `Unhealthy 2 h 3 min, Stale 5 min` */
export function partText({ ms, unrecordedMs }: Part): string {
  const times = drawnStatuses.flatMap((status) =>
    ms[status] > 0 ? [`${statusText(status)} ${duration(ms[status])}`] : [],
  );
  if (unrecordedMs > 0) times.push(`${words.noData} ${duration(unrecordedMs)}`);
  return times.join(texts.words.comma);
}

/** Returns the text of the part without the time in which the service was HEALTHY. */
export function troublesText(part: Part): string {
  return partText({ ...part, ms: { ...part.ms, HEALTHY: 0 } });
}

/** Describes a whole strip, such as `Healthy 98%, Unhealthy 2%`. */
export function stripText(parts: readonly Part[]): string {
  const totals = effectiveStatuses.map(
    (status) => [status, parts.reduce((sum, { ms }) => sum + ms[status], 0)] as const,
  );
  const recorded = totals.reduce((sum, [, ms]) => sum + ms, 0);
  if (recorded === 0) return words.noData;
  return totals
    .flatMap(([status, ms]) => (ms > 0 ? [`${statusText(status)} ${percent(ms / recorded)}`] : []))
    .join(texts.words.comma);
}
