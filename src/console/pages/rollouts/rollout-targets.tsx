// The targets of a rollout: one cell for each, and a list in which failed ones come first.

import { useMemo, useState } from "react";
import type { TargetState } from "../../../domain/rollouts.ts";
import { Button } from "../../components/button.tsx";
import { CellLegend, statesIn } from "../../components/cells/cell-legend.tsx";
import { Empty } from "../../components/empty.tsx";
import { Section } from "../../components/page.tsx";
import { shortId } from "../../format/ids.ts";
import { DownloadCsv } from "../../lists/download-csv.tsx";
import { useListState } from "../../lists/list-state.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { type Column, column, Table } from "../../lists/table.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { type Rollout, type Target, targetStates } from "./rollout.ts";
import { TargetCells } from "./target-cells.tsx";
import { useTargets } from "./use-targets.ts";

const words = texts.rollouts.targets;

export function RolloutTargets({ rollout }: { rollout: Rollout }) {
  const { filters, setFilter } = useListState(["state"]);
  const { state: filter = "" } = filters;
  const wanted = useMemo(() => statesIn(targetStates, filter), [filter]);
  const query = useTargets(rollout);
  return (
    <Section title={words.title}>
      <search className="row inline-fields">
        <CellLegend
          legend={words.legend}
          states={targetStates}
          counts={rollout.targets}
          wanted={wanted}
          onChange={(next) => setFilter("state", [...next].join(","))}
        />
      </search>
      <Loaded query={query}>
        {(pages) => <Shown targets={pages.flat()} total={rollout.total} wanted={wanted} />}
      </Loaded>
      <div className="row csv">
        <DownloadCsv
          list="rollouts.targets"
          params={{ rolloutId: rollout.id }}
          query={filter ? { state: filter } : {}}
        />
      </div>
    </Section>
  );
}

interface ShownProps {
  targets: readonly Target[];
  total: number;
  wanted: ReadonlySet<TargetState>;
}

function Shown({ targets, total, wanted }: ShownProps) {
  const shown = wanted.size === 0 ? targets : targets.filter(({ state }) => wanted.has(state));
  return (
    <>
      <p className="muted small map-note">
        {targets.length < total
          ? words.reading({ read: targets.length, total })
          : words.shown({ shown: shown.length, total })}
        <span className="map-keys">{` · ${words.keys}`}</span>
      </p>
      {shown.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <TargetCells targets={shown} />
          <TargetTable targets={shown} />
        </>
      )}
    </>
  );
}

const columns: Column<Target>[] = [
  column("service", texts.words.service, (target) => <ServiceLink of={target} />, {
    card: "title",
  }),
  column("state", texts.words.status, ({ state }) => <StatusBadge status={state} />, {
    card: "state",
  }),
  column("error", words.error, ErrorCell, { card: "fact" }),
  column("wave", words.wave, ({ wave }) => wave),
  column("ended", words.ended, ({ endedAt }) => endedAt && <Time at={endedAt} />, { card: "fact" }),
  column(
    "command",
    words.command,
    ({ commandId }) =>
      commandId && (
        <NounLink to="commands" id={commandId}>
          {shortId(commandId)}
        </NounLink>
      ),
    { whole: true },
  ),
  column("agent", texts.words.agent, (target) => <AgentLink of={target} />, { extra: true }),
];

function ErrorCell({ errorCode, errorMessage }: Target) {
  if (errorCode === null) return null;
  return (
    <>
      <code className="error-code">{errorCode}</code> {errorMessage}
    </>
  );
}

const rowsAtFirst = 10;

function TargetTable({ targets }: { targets: readonly Target[] }) {
  const [rows, setRows] = useState(rowsAtFirst);
  const ordered = useMemo(() => {
    const rank = ({ state }: Target) => targetStates.indexOf(state);
    return targets.toSorted((a, b) => rank(a) - rank(b) || a.position - b.position);
  }, [targets]);
  const left = ordered.length - rows;
  return (
    <div className="rollout-targets">
      <Table
        name="rollout-targets"
        label={words.list}
        columns={columns}
        rows={ordered.slice(0, rows)}
        rowKey={({ serviceId }) => serviceId}
      />
      {left > 0 && (
        <Button onClick={() => setRows(rows + Math.min(left, rows))}>
          {words.more({ many: Math.min(left, rows) })}
        </Button>
      )}
    </div>
  );
}
