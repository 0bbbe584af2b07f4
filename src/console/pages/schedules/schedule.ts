// A schedule, with short texts about its timing, its target and what keeps it from running.

import type { Reply } from "../../client/call.ts";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { readUsual, usualText } from "./usual-times.ts";

export type Schedule = Reply<"schedules.get">;
export type ScheduleSummary = Reply<"schedules.list">[number];

const words = texts.schedules;

type Timed = Pick<ScheduleSummary, "cron" | "everySeconds" | "timezone">;

/** Returns `Sundays at 03:00 (Europe/Berlin)`, `Every 15 min`, or a cron expression and a zone. */
export function timingText({ cron, everySeconds = 0, timezone }: Timed): string {
  if (cron === undefined) return words.every({ time: duration(everySeconds * 1000) });
  const usual = readUsual(cron);
  return words.inZone({ when: usual ? usualText(usual) : cron, zone: timezone });
}

/** Returns `restart on billing`, or `restart, as a rollout`. */
export function targetText({ target }: Pick<ScheduleSummary, "target">): string {
  const action = String(target.action);
  return target.kind === "action"
    ? words.action({ action, service: String(target.service) })
    : words.rollout({ action });
}

/** Returns what keeps the schedule from running although it is enabled; null if nothing does. */
export function obstacleText({ allPaused, approvalState }: ScheduleSummary): string | null {
  if (allPaused) return words.allPaused;
  return approvalState && words.notApproved[approvalState];
}
