// The newest audit events about one subject, on the subject's page.

import { usePage } from "../client/queries.ts";
import { Section } from "../components/page.tsx";
import { type AuditEvent, auditOutcome } from "../format/audit-event.ts";
import { texts } from "../texts/index.ts";
import { Actor } from "../values/actor.tsx";
import { AuditNote } from "../values/audit-sentence.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { ShortTable } from "./short-list.tsx";
import { type Column, column } from "./table.tsx";

const words = texts.auditTrail;

const columns: Column<AuditEvent>[] = [
  column("at", texts.audit.when, ({ at }) => <Time at={at} exact />, { card: "fact" }),
  column("action", texts.audit.what, (event) => <What event={event} />, { card: "title" }),
  column("actor", texts.audit.who, (event) => <Actor of={event} />, { card: "fact" }),
  column("result", texts.audit.result, (event) => <StatusBadge status={auditOutcome(event)} />, {
    card: "state",
  }),
];

export function AuditTrail({ targetId }: { targetId: string }) {
  const query = usePage("audit-events.list", { query: { targetId, pageSize: 10 } });
  return (
    <Section title={texts.shell.pages.audit}>
      <ShortTable
        name="audit-trail"
        label={words.label}
        columns={columns}
        query={query}
        empty={words.empty}
        all={{ to: `/audit?targetId=${targetId}`, text: words.all }}
      />
    </Section>
  );
}

function What({ event }: { event: AuditEvent }) {
  return (
    <>
      <code>{event.action}</code>
      <span className="muted">
        {" "}
        <AuditNote of={event} />
      </span>
    </>
  );
}
