// An audit event as a sentence, in which the event's target is a link.

import { Fragment, type ReactNode } from "react";
import { stepOf } from "../../api/audit/words.ts";
import { type AuditEvent, actorName, auditSubject } from "../format/audit-event.ts";
import { texts } from "../texts/index.ts";
import { StatusBadge } from "./status-badge.tsx";
import { ToTarget } from "./target-link.tsx";

const sentences: Readonly<Record<string, string>> = texts.auditSentences;

export function AuditSentence({ event }: { event: AuditEvent }) {
  const { action, message, metadata } = event;
  // A row that sums up many events says in its message which.
  const template =
    metadata.summed && message ? message : (sentences[action] ?? `${action}: {what}`);
  return template
    .split(/(\{\w+\})/)
    .map((part) => <Fragment key={part}>{partOf(part, event) ?? part}</Fragment>);
}

/** Whether the sentence includes the event's message, or the event has none. */
export function saysMessage({ message, metadata }: AuditEvent): boolean {
  return message === null || metadata.summed !== undefined;
}

function partOf(part: string, event: AuditEvent): ReactNode {
  const step = stepOf(event);
  switch (part) {
    case "{who}":
      return actorName(event);
    case "{what}":
      return (
        <span title={event.targetId ?? undefined}>
          <ToTarget of={event}>{auditSubject(event) ?? texts.audit.unknown}</ToTarget>
        </span>
      );
    case "{from}":
      return step && <StatusBadge status={step.from} />;
    case "{to}":
      return step && <StatusBadge status={step.to} />;
    default:
      return null;
  }
}
