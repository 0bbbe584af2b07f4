import { Link } from "react-router";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import type { AuditEvent } from "../../format/audit-event.ts";
import { count } from "../../format/number.ts";
import { exactTime } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { TargetLink } from "../../values/target-link.tsx";

const words = texts.audit;

export function RowDetails({ row, onClose }: { row: AuditEvent; onClose: () => void }) {
  const { at, actorType, actorId, actorName, targetType, targetId, metadata } = row;
  const actor = [actorName, actorId].filter((each) => each !== null).join(", ");
  const time = (
    <time key="at" dateTime={at}>
      {exactTime(at)}
    </time>
  );
  const linkTo = (text: string, filters: Record<string, string>) => (
    <Link to={`/audit?${new URLSearchParams(filters)}`} onClick={onClose}>
      {text}
    </Link>
  );
  return (
    <Dialog title={row.action} wide onClose={onClose}>
      <Facts
        facts={[
          [words.result, <StatusBadge key="result" status={row.result} />],
          [words.when, time],
          [words.who, `${words.actorTypes[actorType]}${actor && `: ${actor}`}`],
          [words.target, <TargetLink key="target" of={row} whole />],
          [texts.words.message, row.message],
          [words.row.ip, row.ip],
          [words.row.userAgent, row.userAgent],
          [words.row.requestId, row.requestId],
          [texts.words.id, row.id],
          [words.row.seq, count(row.seq)],
          [words.row.hash, <code key="hash">{row.hash}</code>],
        ]}
      />
      <p className="row audit-more">
        {actorId !== null && linkTo(words.row.sameActor, { actorId })}
        {targetId !== null && linkTo(words.row.sameTarget, { targetType, targetId })}
      </p>
      {Object.keys(metadata).length > 0 && (
        <>
          <h3>{words.row.metadata}</h3>
          <JsonView value={metadata} label={words.row.metadata} />
        </>
      )}
    </Dialog>
  );
}
