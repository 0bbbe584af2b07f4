// The services that a rollout leaves out, and why.

import type { Reply } from "../../client/call.ts";
import { type Column, column, Table } from "../../lists/table.tsx";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import "./left-out.css";

type LeftOut = Reply<"rollouts.preview">["leftOut"][number];

const words = texts.rollouts.preview;
const mostLeftOut = 100;

const leftOutColumns: Column<LeftOut>[] = [
  column("service", texts.words.service, (service) => <ServiceLink of={service} />),
  column("agent", texts.words.agent, (service) => <AgentLink of={service} />),
  column("why", words.why, ({ message }) => message, { whole: true }),
];

interface LeftOutServicesProps {
  /** At most `mostLeftOut` are shown. */
  leftOut: readonly LeftOut[];
  /** The number of services left out. A stored rollout lists only the first of them. */
  total?: number;
}

export function LeftOutServices({ leftOut, total = leftOut.length }: LeftOutServicesProps) {
  const title = words.leftOut({ many: total });
  const shown = leftOut.slice(0, mostLeftOut);
  return (
    <div className="rollout-left-out">
      <h3>{title}</h3>
      {shown.length < total && <p>{words.onlyFirst({ shown: shown.length, all: total })}</p>}
      <Table
        name="rollout-left-out"
        label={title}
        columns={leftOutColumns}
        rows={shown}
        rowKey={({ serviceId }) => serviceId}
      />
    </div>
  );
}
