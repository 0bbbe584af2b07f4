// The commands that failed last.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Section } from "../../components/page.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { texts } from "../../texts/index.ts";

type Command = Reply<"commands.list">[number];

const words = texts.overview.failures;
const shown = 8;

const columns: Column<Command>[] = [
  {
    key: "when",
    header: words.when,
    cell: ({ id, completedAt, createdAt }) => (
      <Link className="overview-whole" to={`/commands/${id}`}>
        <Time at={completedAt ?? createdAt} />
      </Link>
    ),
  },
  {
    key: "service",
    header: texts.words.service,
    cell: ({ serviceId, serviceCode }) => <Link to={`/services/${serviceId}`}>{serviceCode}</Link>,
  },
  { key: "action", header: texts.words.action, cell: ({ action }) => action },
  {
    key: "error",
    header: words.error,
    cell: ({ errorCode }) => <code className="overview-whole">{errorCode}</code>,
  },
  { key: "message", header: words.message, cell: ({ errorMessage }) => errorMessage },
];

export function RecentFailures() {
  const query = usePage("commands.list", { query: { status: "FAILED", pageSize: shown } });
  return (
    <Section title={words.title} actions={<Link to="/commands?status=FAILED">{words.all}</Link>}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{words.none}</Empty>
          ) : (
            <Table
              name="recent-failures"
              label={words.title}
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
