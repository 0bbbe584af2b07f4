// The commands that failed last.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { ShortList } from "../../lists/short-list.tsx";
import { type Column, Table } from "../../lists/table.tsx";
import { texts } from "../../texts/index.ts";
import { CommandLink, ServiceLink } from "../../values/links.tsx";
import { Time } from "../../values/time.tsx";

type Command = Reply<"commands.list">[number];

const words = texts.overview.failures;
const shown = 8;

const columns: Column<Command>[] = [
  {
    key: "when",
    header: words.when,
    cell: ({ id, completedAt, createdAt }) => (
      <CommandLink className="overview-whole" id={id}>
        <Time at={completedAt ?? createdAt} />
      </CommandLink>
    ),
  },
  {
    key: "service",
    header: texts.words.service,
    cell: ({ serviceId, serviceCode }) => <ServiceLink id={serviceId}>{serviceCode}</ServiceLink>,
  },
  { key: "action", header: texts.words.action, cell: ({ action }) => action },
  {
    key: "error",
    header: texts.commands.error,
    cell: ({ errorCode }) => <code className="overview-whole">{errorCode}</code>,
  },
  { key: "message", header: texts.words.message, cell: ({ errorMessage }) => errorMessage },
];

export function RecentFailures() {
  const query = usePage("commands.list", { query: { status: "FAILED", pageSize: shown } });
  return (
    <Section title={words.title} actions={<Link to="/commands?status=FAILED">{words.all}</Link>}>
      <ShortList query={query} empty={words.none}>
        {(commands) => (
          <Table
            name="recent-failures"
            label={words.title}
            columns={columns}
            rows={commands}
            rowKey={({ id }) => id}
          />
        )}
      </ShortList>
    </Section>
  );
}
