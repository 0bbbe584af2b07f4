// A group of services that need attention, and its texts.

import type { Reply } from "../../../client/call.ts";
import { reportedText } from "../../../format/status.ts";
import { texts } from "../../../texts/index.ts";

export type Attention = Reply<"attention.get">;
export type Group = Attention["open"]["groups"][number];
export type GroupService = Group["first"][number];

const words = texts.attention;

export function reasonOf({ cause, healthStatus, message }: Group): string {
  if (cause !== "HEALTH") return words.causes[cause];
  if (message !== null) return message;
  return healthStatus === null
    ? words.causes.HEALTH
    : words.withoutMessage({ status: reportedText(healthStatus) });
}

/** Returns the code of the only service, or the number of services. */
export function nameOf({ services, first }: Group): string {
  const [only] = first;
  return services === 1 && only ? only.code : words.services({ many: services });
}

/** The name with the reason, for the labels of buttons. */
export function titleOf(group: Group): string {
  return `${nameOf(group)}${texts.words.colon}${reasonOf(group)}`;
}

/** Whether an action can help. If not, the agents are away, so no action can run. */
export function isFixable({ cause }: Group): boolean {
  return cause === "HEALTH" || cause === "CHANGES" || cause === "NOT_REPORTED";
}
