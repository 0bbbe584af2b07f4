// The actor of an audit event: its name, or its id if it has no name, and its type.

import { softBreaks } from "../components/text/soft-breaks.tsx";
import type { Acting } from "../format/audit-event.ts";
import { shortId } from "../format/ids.ts";
import { texts } from "../texts/index.ts";

export function Actor({ of }: { of: Acting }) {
  const { actorType, actorId, actorName } = of;
  return (
    <span title={actorId ?? undefined}>
      {softBreaks(actorName ?? (actorId && shortId(actorId)))}{" "}
      <span className="muted small">{texts.audit.actorTypes[actorType]}</span>
    </span>
  );
}
