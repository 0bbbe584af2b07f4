// The first page: the fleet at a glance, what became of commands, and what happens right now.

import { useCall } from "../../client/queries.ts";
import { Page } from "../../components/page.tsx";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { Counts } from "./counts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LiveFeed } from "./live-feed.tsx";
import { HealthMap } from "./map/health-map.tsx";
import { CommandsOverTime } from "./plots/commands-over-time.tsx";
import { RecentFailures } from "./recent-failures.tsx";
import "./overview-page.css";

export function Component() {
  const query = useCall("overview.get", {});
  // Until the answer comes there are agents: hardly any look is the first one.
  const isEmpty = query.data !== undefined && sum(query.data.agents) === 0;
  return (
    <Page title={texts.overview.title}>
      <Loaded query={query}>{(counts) => <Counts counts={counts} />}</Loaded>
      {isEmpty ? <FirstSteps /> : <HealthMap />}
      <div className="overview-parts">
        {!isEmpty && (
          <div>
            <CommandsOverTime />
            <RecentFailures />
          </div>
        )}
        <LiveFeed />
      </div>
    </Page>
  );
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0);
}
