// The last commands of one agent or one service, for its page; all of them are one link away.

import type { Reply } from "../client/call.ts";
import { usePage } from "../client/queries.ts";
import { duration } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { CommandSource } from "../values/command-source.tsx";
import { CommandLink, ServiceLink } from "../values/links.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { ShortList } from "./short-list.tsx";
import { type Column, Table } from "./table.tsx";

type Command = Reply<"commands.list">[number];

const words = texts.recentCommands;

const columns: Column<Command>[] = [
  {
    key: "action",
    header: texts.words.action,
    cell: ({ id, action }) => <CommandLink id={id}>{action}</CommandLink>,
  },
  {
    key: "service",
    header: texts.words.service,
    cell: ({ serviceId, serviceCode }) => <ServiceLink id={serviceId}>{serviceCode}</ServiceLink>,
  },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status, errorCode }) => (
      <>
        <StatusBadge status={status} />
        {errorCode && <span className="muted small"> {errorCode}</span>}
      </>
    ),
  },
  { key: "by", header: texts.commands.by, cell: ({ source }) => <CommandSource source={source} /> },
  { key: "created", header: texts.words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: "duration",
    header: texts.commands.duration,
    align: "end",
    cell: ({ durationMs }) => (durationMs === null ? null : duration(durationMs)),
  },
];

interface RecentCommandsProps {
  of: { agentId: string } | { serviceId: string };
  /** At most. */
  rows?: number;
}

export function RecentCommands({ of, rows = 10 }: RecentCommandsProps) {
  const query = usePage("commands.list", { query: { ...of, pageSize: rows } });
  const isOfService = "serviceId" in of;
  return (
    <ShortList
      query={query}
      empty={words.empty}
      all={{ to: `/commands?${new URLSearchParams(of)}`, text: words.all }}
    >
      {(commands) => (
        <Table
          name={isOfService ? "service-commands" : "agent-commands"}
          label={words.label}
          columns={isOfService ? columns.filter(({ key }) => key !== "service") : columns}
          rows={commands}
          rowKey={({ id }) => id}
        />
      )}
    </ShortList>
  );
}
