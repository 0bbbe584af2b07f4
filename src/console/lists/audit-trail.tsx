// The newest audit events about one subject, on the subject's page.

import { outcomeOf } from "../../api/audit/words.ts";
import { usePage } from "../client/queries.ts";
import { type AuditEvent, auditStep } from "../format/audit-event.ts";
import { texts } from "../texts/index.ts";
import { Actor } from "../values/actor.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { ShortTable } from "./short-list.tsx";
import type { Column } from "./table.tsx";

const words = texts.auditTrail;

const columns: Column<AuditEvent>[] = [
  { key: "at", header: texts.audit.when, cell: ({ at }) => <Time at={at} /> },
  { key: "action", header: texts.audit.what, cell: (event) => <What event={event} /> },
  { key: "actor", header: texts.audit.who, cell: (event) => <Actor of={event} /> },
  {
    key: "result",
    header: texts.audit.result,
    cell: (event) => <StatusBadge status={outcomeOf(event)} />,
  },
];

export function AuditTrail({ targetId, rows = 10 }: { targetId: string; rows?: number }) {
  const query = usePage("audit-events.list", { query: { targetId, pageSize: rows } });
  return (
    <ShortTable
      name="audit-trail"
      label={words.label}
      columns={columns}
      query={query}
      empty={words.empty}
      all={{ to: `/audit?targetId=${targetId}`, text: words.all }}
    />
  );
}

function What({ event }: { event: AuditEvent }) {
  const { action, message } = event;
  const step = auditStep(event);
  return (
    <>
      <code>{action}</code>
      {step && <span className="muted"> {step}</span>}
      {message && <span className="muted"> {message}</span>}
    </>
  );
}
