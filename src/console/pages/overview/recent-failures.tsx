// The commands that failed last.

import { Link } from "react-router";
import type { CommandSummary } from "../../client/command.ts";
import { usePage } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { ShortList } from "../../lists/short-list.tsx";
import { type Column, Table } from "../../lists/table.tsx";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

const words = texts.overview.failures;
const shown = 8;

const cells = {
  action: ({ action }: CommandSummary) => action,
  error: ({ errorCode }: CommandSummary) => <code className="overview-whole">{errorCode}</code>,
};

const columns: Column<CommandSummary>[] = [
  {
    key: "when",
    header: words.when,
    cell: ({ id, completedAt, createdAt }) => (
      <NounLink to="commands" className="overview-whole" id={id}>
        <Time at={completedAt ?? createdAt} />
      </NounLink>
    ),
  },
  ...columnsOf(nouns.commands, cells, ["service", "action", "error"]),
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
