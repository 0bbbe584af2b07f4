// The service's last command and how it ended.

import { Link } from "react-router";
import type { CommandSummary } from "../../client/command.ts";
import { usePage } from "../../client/queries.ts";
import { totalOf } from "../../format/number.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { CommandSource, commandCells } from "../../values/command-cells.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

const words = texts.services.lastCommand;

/** Does not read the command itself, because that returns its one-time secrets. */
export function LastCommand({ serviceId }: { serviceId: string }) {
  const query = usePage("commands.list", { query: { serviceId, pageSize: 1 } });
  return (
    <section className="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <Loaded query={query}>
        {({ data: [command], pagination }) =>
          command ? (
            <>
              <Ended command={command} />
              {pagination.total > 1 && (
                <p className="small">
                  <Link to="?tab=commands">
                    {texts.recentCommands.all({ total: totalOf(pagination) })}
                  </Link>
                </p>
              )}
            </>
          ) : (
            <p className="muted">{texts.recentCommands.empty}</p>
          )
        }
      </Loaded>
    </section>
  );
}

function Ended({ command }: { command: CommandSummary }) {
  const { id, action, status, errorMessage, createdAt, source } = command;
  const took = commandCells.took(command);
  return (
    <>
      <p className="row">
        <Link to={addressOf("commands", id)}>{action}</Link>
        <StatusBadge status={status} />
        {commandCells.error(command)}
      </p>
      {errorMessage && <p className="service-message">{errorMessage}</p>}
      <p className="muted small">
        <CommandSource source={source} />
        {texts.words.comma}
        <Time at={createdAt} />
        {took && words.took({ duration: took })}
      </p>
    </>
  );
}
