// An audit event as a sentence, in which the event's target is a link.

import { Sentence } from "../components/text/sentence.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import {
  type AuditEvent,
  actorName,
  auditStep,
  auditSubject,
  isOfHealth,
} from "../format/audit-event.ts";
import { texts } from "../texts/index.ts";
import type { Message } from "../texts/messages.ts";
import { StatusBadge, StatusWord } from "./status-badge.tsx";
import { ToTarget } from "./target-link.tsx";

const sentences: Readonly<Record<string, string | Message<"who" | "what" | "from" | "to">>> =
  texts.auditSentences;

export function AuditSentence({ event }: { event: AuditEvent }) {
  const { action, targetId } = event;
  if (isSummary(event)) return softBreaks(event.message);
  const step = auditStep(event);
  const target = (
    <span title={targetId ?? undefined}>
      <ToTarget of={event}>{softBreaks(auditSubject(event) ?? texts.audit.unknown)}</ToTarget>
    </span>
  );
  const text = sentences[action];
  // A server of another version can have actions that this console does not know.
  if (text === undefined)
    return (
      <>
        {action}
        {texts.words.colon}
        {target}
      </>
    );
  if (typeof text === "string") return text;
  return (
    <Sentence
      text={text}
      parts={{
        who: actorName(event),
        what: target,
        from: step && <StatusBadge status={step.from} />,
        to: step && <StatusBadge status={step.to} />,
      }}
    />
  );
}

/** Shows the event's message, and `from Unhealthy to Healthy` if the event is a change of state. */
export function AuditNote({ of }: { of: AuditEvent }) {
  const { message } = of;
  const step = auditStep(of);
  const shown = (state: string) =>
    isOfHealth(of) ? <StatusWord status={state} /> : softBreaks(state);
  return (
    <>
      {message && softBreaks(message)}
      {message && step && texts.words.colon}
      {step && (
        <Sentence
          text={texts.auditTrail.step}
          parts={{ from: shown(step.from), to: shown(step.to) }}
        />
      )}
    </>
  );
}

/** Whether the sentence includes the event's message, or the event has none. */
export function includesMessage(event: AuditEvent): boolean {
  return event.message === null || isSummary(event);
}

/** Whether the event summarizes many events. Its message then says which ones. */
function isSummary({ message, metadata }: AuditEvent): boolean {
  return message !== null && metadata.summed !== undefined;
}
