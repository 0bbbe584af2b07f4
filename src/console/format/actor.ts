// Who has done something, in one word.

import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";

export type Acting = Pick<
  Reply<"audit-events.list">[number],
  "actorType" | "actorId" | "actorName"
>;

/** The name, or the kind where nobody has one. */
export function actorName({ actorType, actorName: name }: Acting): string {
  return name ?? texts.audit.actorTypes[actorType];
}
