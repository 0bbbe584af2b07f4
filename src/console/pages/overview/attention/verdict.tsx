// The first line of the overview: how many services need attention, with a bar of all statuses.

import { Link } from "react-router";
import { byUrgency } from "../../../../domain/fleet/health-map.ts";
import type { Reply } from "../../../client/call.ts";
import { useMay } from "../../../client/session.ts";
import { Shares } from "../../../components/shares.tsx";
import { count } from "../../../format/number.ts";
import { nouns } from "../../../nouns/nouns.ts";
import { StatusHelp } from "../../../nouns/status-help.tsx";
import { texts } from "../../../texts/index.ts";
import { Badge, StatusBadge, StatusWord } from "../../../values/status-badge.tsx";
import { FixMenu } from "../fix/fix-menu.tsx";
import type { Fix } from "../fix/fix-sheet.tsx";
import { type Attention, isFixable } from "./group.ts";

const words = texts.attention;
const { comma } = texts.words;

interface VerdictProps {
  attention: Attention;
  overview: Reply<"overview.get"> | undefined;
  onFix: (fix: Fix) => void;
}

export function Verdict({ attention, overview, onFix }: VerdictProps) {
  const mayAct = useMay("operator");
  const fixable = attention.open.groups.filter(isFixable);
  const many = fixable.reduce((sum, { services }) => sum + services, 0);
  return (
    <section className="card verdict" aria-label={words.calm}>
      <div className="row verdict-line">
        <h2>
          <Badge tone={attention.open.total > 0 ? "bad" : "good"}>
            {sentenceOf(attention, overview)}
          </Badge>
        </h2>
        {mayAct && fixable.length > 1 && (
          <FixMenu kind="primary" groups={fixable} text={words.fixAll({ many })} onFix={onFix} />
        )}
      </div>
      <Shares states={byUrgency} counts={attention.services} />
      <div className="row verdict-legend">
        <ul className="row plain">
          {byUrgency.map((status) => (
            <li key={status} className={attention.services[status] === 0 ? "muted" : undefined}>
              <Link to={`/services?status=${status}`}>
                <strong>{count(attention.services[status])}</strong> <StatusBadge status={status} />
              </Link>
            </li>
          ))}
        </ul>
        <StatusHelp noun="services" />
        {overview && <Others overview={overview} />}
      </div>
    </section>
  );
}

function sentenceOf(
  { open, handled, services }: Attention,
  overview: VerdictProps["overview"],
): string {
  const total = Object.values(services).reduce((sum, number) => sum + number, 0);
  const offline = overview?.agents.OFFLINE ?? 0;
  const agents = offline > 0 ? [words.agentsOffline({ many: offline })] : [];
  if (open.total > 0) {
    return [words.verdict({ ill: open.services, total }), ...agents].join(comma);
  }
  const healthy = [
    words.healthy({ many: services.HEALTHY }),
    ...(services.UNKNOWN > 0 ? [words.unknown({ many: services.UNKNOWN })] : []),
    ...agents,
  ].join(comma);
  return handled.services > 0 ? words.nothingNew({ healthy }) : words.well({ healthy });
}

/** The numbers of agents and of open commands. */
function Others({ overview: { agents, commands } }: { overview: Reply<"overview.get"> }) {
  const open = commands.PENDING + commands.RUNNING;
  return (
    <p className="verdict-others muted">
      {nouns.agents.title}{" "}
      {(["ONLINE", "OFFLINE", "DISABLED"] as const)
        .filter((status) => status === "ONLINE" || agents[status] > 0)
        .map((status) => (
          <Link key={status} to={`/agents?status=${status}`}>
            {count(agents[status])} <StatusWord status={status} />
          </Link>
        ))}
      {open > 0 && (
        <Link to="/commands?status=PENDING,RUNNING">{words.openCommands({ many: open })}</Link>
      )}
    </p>
  );
}
