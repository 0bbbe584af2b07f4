// The services of one agent, with their status.

import type { Reply } from "../../client/call.ts";
import { Empty } from "../../components/empty.tsx";
import { Table } from "../../lists/table.tsx";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";

type AgentService = Reply<"agents.get">["services"][number];

const columns = columnsOf<AgentService>(nouns.services, {}, ["code", "name", "status", "version"]);

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
