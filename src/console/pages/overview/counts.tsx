// How many there are by status, each a link to the list of just those.

import { Link } from "react-router";
import type { Reply } from "../../client/call.ts";
import { count } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";

const words = texts.overview.counts;

export function Counts({ counts }: { counts: Reply<"overview.get"> }) {
  return (
    <div className="overview-counts">
      <Group title={words.agents} path="/agents" counts={counts.agents} />
      <Group title={words.services} path="/services" counts={counts.services} />
      <Group title={words.commands} path="/commands" counts={counts.commands} />
      <Group title={words.tokens} path="/registration-tokens" counts={counts.registrationTokens} />
    </div>
  );
}

interface GroupProps {
  title: string;
  path: string;
  counts: Record<string, number>;
}

function Group({ title, path, counts }: GroupProps) {
  return (
    <section className="card">
      <h2>{title}</h2>
      <ul>
        {Object.entries(counts).map(([status, number]) => (
          <li key={status}>
            <Link to={`${path}?status=${status}`}>
              <strong className={number === 0 ? "overview-zero" : undefined}>
                {count(number)}
              </strong>
              <StatusBadge status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
