// The details of one audit event, which the URL can name.

import { Link } from "react-router";
import { usePage } from "../../client/queries.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { useParameters } from "../../components/use-parameters.ts";
import type { AuditEvent } from "../../format/audit-event.ts";
import { count } from "../../format/number.ts";
import { exactTime } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { TargetLink } from "../../values/target-link.tsx";

const words = texts.audit;

/** Returns the sequence number of the event in the URL, and a function that changes it. */
export function useShownRow(): [seq: number | null, show: (seq: number | null) => void] {
  const [query, change] = useParameters();
  const text = query.get("row") ?? "";
  const show = (seq: number | null) => change({ row: seq === null ? null : String(seq) });
  return [/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null, show];
}

interface RowOfProps {
  seq: number;
  /** The rows that the list shows. An event that is not among them is read from the server. */
  rows: readonly AuditEvent[];
  onClose: () => void;
}

export function RowOf({ seq, rows, onClose }: RowOfProps) {
  const listed = rows.find((row) => row.seq === seq);
  const query = usePage(
    "audit-events.list",
    { query: { afterSeq: seq - 1, pageSize: 1 } },
    { enabled: listed === undefined },
  );
  const row = listed ?? query.data?.data.find((each) => each.seq === seq);
  if (row) return <RowDetails row={row} onClose={onClose} />;
  return (
    <Dialog title={words.row.title({ seq: count(seq) })} onClose={onClose}>
      <Loaded query={query}>{() => <p>{words.row.gone}</p>}</Loaded>
    </Dialog>
  );
}

function RowDetails({ row, onClose }: { row: AuditEvent; onClose: () => void }) {
  const { at, actorType, actorId, actorName, targetType, targetId, metadata } = row;
  const actor = [actorName, actorId].filter((each) => each !== null).join(texts.words.comma);
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
          [words.who, [words.actorTypes[actorType], actor].filter(Boolean).join(texts.words.colon)],
          [words.target, <TargetLink key="target" of={row} whole />],
          [texts.words.message, row.message],
          [words.row.ip, row.ip],
          [words.row.userAgent, row.userAgent],
          [words.row.requestId, row.requestId],
          [texts.words.id, <IdValue key="id" id={row.id} />],
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
