// The danger level that an agent declares for an action.

import { texts } from "../texts/index.ts";
import { Badge, toneOf } from "./status-badge.tsx";

export function DangerBadge({ level }: { level: string }) {
  return <Badge tone={toneOf(level)}>{texts.actions.danger(level)}</Badge>;
}
