// The services of one agent, with what their state is now.

import type { Reply } from "../../client/call.ts";
import { Empty } from "../../components/empty.tsx";
import { type Column, Table } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { ServiceLink } from "../../values/links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";

type AgentService = Reply<"agents.get">["services"][number];

const columns: Column<AgentService>[] = [
  {
    key: "code",
    header: texts.words.code,
    cell: ({ id, code }) => <ServiceLink id={id}>{code}</ServiceLink>,
  },
  { key: "name", header: texts.words.name, cell: ({ name }) => name },
  {
    key: "status",
    header: texts.words.status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { key: "version", header: texts.words.version, cell: ({ version }) => version },
];

export function AgentServices({ services }: { services: AgentService[] }) {
  if (services.length === 0) return <Empty>{texts.agents.noServices}</Empty>;
  return (
    <Table
      name="agent-services"
      label={texts.agents.servicesLabel}
      columns={columns}
      rows={services}
      rowKey={({ id }) => id}
    />
  );
}
