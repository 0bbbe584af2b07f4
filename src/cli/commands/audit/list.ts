import { outcomeOf, stepOf, subjectOf } from "../../../api/audit/words.ts";
import type { Invocation } from "../../command.ts";
import { viewed } from "../../nouns/run.ts";
import { pageOf } from "../../output/listing.ts";
import { type ListView, printList } from "../../output/output.ts";
import { type AuditEvent, auditFiltersOf, withIds } from "./filters.ts";

export const auditEventView: ListView<AuditEvent> = {
  columns: [
    { name: "seq", value: (event) => event.seq, minor: true },
    { name: "at", value: (event) => event.at, kind: "time" },
    { name: "actor", value: (event) => actorOf(event), kind: "key" },
    { name: "action", value: (event) => event.action, kind: "key" },
    { name: "result", value: (event) => outcomeOf(event), kind: "state", usual: "SUCCESS" },
    { name: "target", value: (event) => targetOf(event), kind: "key" },
    { name: "message", value: (event) => messageOf(event) },
    { name: "target id", value: (event) => event.targetId, kind: "key", wide: true },
    { name: "ip", value: (event) => event.ip, wide: true },
    { name: "request", value: (event) => event.requestId, wide: true },
    { name: "metadata", value: (event) => JSON.stringify(event.metadata), wide: true },
  ],
  nameOf: (event) => event.id,
  whenEmpty: "No audit events match.",
};

export async function listAuditEvents(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const filters = auditFiltersOf(io, options);
  const api = await invocation.client();
  const asked = { ...(await withIds(api, filters)) };
  const shown = await viewed(invocation, api, "audit-events", auditEventView, asked);
  const query = { ...pageOf(options), ...shown.query };
  const { data, pagination } = await api.page("audit-events.list", { query });
  printList(io, shown.options, data, auditEventView, { pagination, filters: shown.query });
}

export function targetOf(event: AuditEvent): string {
  const subject = subjectOf(event);
  if (subject === null) return event.targetId ?? event.targetType;
  return subject.action === null ? subject.name : `${subject.action} on ${subject.name}`;
}

export function messageOf(event: AuditEvent): string | null {
  const step = stepOf(event);
  const parts = [event.message, step && `${step.from} → ${step.to}`];
  return parts.filter((part) => part !== null).join(": ") || null;
}

export function actorOf(event: Pick<AuditEvent, "actorType" | "actorName">): string {
  const kind = event.actorType.toLowerCase();
  return event.actorName === null ? kind : `${kind} ${event.actorName}`;
}
