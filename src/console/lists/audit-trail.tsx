// The newest audit events about one subject, on the subject's page.

import { outcomeOf } from "../../api/audit/words.ts";
import type { Reply } from "../client/call.ts";
import { usePage } from "../client/queries.ts";
import { auditStep } from "../format/audit-event.ts";
import { texts } from "../texts/index.ts";
import { Actor } from "../values/actor.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { ShortList } from "./short-list.tsx";
import { type Column, Table } from "./table.tsx";

type AuditEvent = Reply<"audit-events.list">[number];

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
    <ShortList
      query={query}
      empty={words.empty}
      all={{ to: `/audit?targetId=${targetId}`, text: words.all }}
    >
      {(events) => (
        <Table
          name="audit-trail"
          label={words.label}
          columns={columns}
          rows={events}
          rowKey={({ id }) => id}
        />
      )}
    </ShortList>
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
