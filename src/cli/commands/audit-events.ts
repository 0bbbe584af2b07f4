// `platformctl audit …`

import type { Routes } from "../../api/index.ts";
import type { QueryInput, ReplyData } from "../../api/route.ts";
import type { Invocation } from "../command.ts";
import { type ListView, type OutputOptions, printList } from "../output.ts";
import { pageOf } from "../paging.ts";

type AuditEvent = ReplyData<Routes["audit-events.list"]>[number];
type Query = NonNullable<QueryInput<Routes["audit-events.list"]>>;

const view: ListView<AuditEvent> = {
  columns: [
    { name: "seq", value: (event) => event.seq },
    { name: "at", value: (event) => event.at, kind: "time" },
    { name: "actor", value: (event) => actorOf(event) },
    { name: "action", value: (event) => event.action, kind: "key" },
    { name: "result", value: (event) => event.result, kind: "state" },
    { name: "target", value: (event) => event.targetId ?? event.targetType, kind: "key" },
    { name: "message", value: (event) => event.message },
    { name: "ip", value: (event) => event.ip, wide: true },
    { name: "request", value: (event) => event.requestId, wide: true },
    { name: "metadata", value: (event) => JSON.stringify(event.metadata), wide: true },
  ],
  nameOf: (event) => event.id,
  whenEmpty: "No audit events match.",
};

export async function listAuditEvents({ io, options, client }: Invocation): Promise<void> {
  const { action, actor, target, result } = options as Record<string, string | undefined>;
  const filters = { action, actorId: actor, targetId: target, result };
  const query = { ...pageOf(options), ...filters } as Query;
  const { data, pagination } = await (await client()).page("audit-events.list", { query });
  printList(io, options as OutputOptions, data, view, { pagination, filters });
}

function actorOf(event: AuditEvent): string {
  const kind = event.actorType.toLowerCase();
  return event.actorName === null ? kind : `${kind} ${event.actorName}`;
}
