// The most recent commands of an agent or a service, shown on its page.

import type { CommandSummary } from "../client/command.ts";
import { usePage } from "../client/queries.ts";
import { columnsOf } from "../nouns/noun-columns.tsx";
import { nouns } from "../nouns/nouns.ts";
import { texts } from "../texts/index.ts";
import { commandCells } from "../values/command-cells.tsx";
import { ShortTable } from "./short-list.tsx";
import { column } from "./table.tsx";

const words = texts.recentCommands;
const shown = ["action", "status", "error", "by", "created", "took"];
const message = column<CommandSummary>(
  "message",
  texts.words.message,
  ({ errorMessage }) => errorMessage,
);
const columns = {
  service: [...columnsOf(nouns.commands, commandCells, shown), message],
  agent: [...columnsOf(nouns.commands, commandCells, [...shown, "service"]), message],
};

interface RecentCommandsProps {
  of: { agentId: string } | { serviceId: string };
  rows?: number;
}

export function RecentCommands({ of, rows = 10 }: RecentCommandsProps) {
  const query = usePage("commands.list", { query: { ...of, pageSize: rows } });
  const kind = "serviceId" in of ? "service" : "agent";
  return (
    <ShortTable
      name={`${kind}-commands`}
      label={words.label}
      columns={columns[kind]}
      query={query}
      empty={words.empty}
      all={{ to: `/commands?${new URLSearchParams(of)}`, text: words.all }}
    />
  );
}
