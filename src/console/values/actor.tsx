// Who has done something, as the audit trail knows it: the name, or else the id, and the kind.

import type { Acting } from "../format/actor.ts";
import { shortId } from "../format/ids.ts";
import { texts } from "../texts/index.ts";

export function Actor({ of }: { of: Acting }) {
  const { actorType, actorId, actorName } = of;
  return (
    <span title={actorId ?? undefined}>
      {actorName ?? (actorId && shortId(actorId))}{" "}
      <span className="muted small">{texts.audit.actorTypes[actorType]}</span>
    </span>
  );
}
