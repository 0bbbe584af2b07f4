// The services of a rollout: their errors, their waves, and a list in which failed services come
// first. The user can limit the waves and the list to a state or an error.

import { useMemo, useState } from "react";
import type { TargetState } from "../../../domain/rollouts/rollouts.ts";
import { Button } from "../../components/buttons/button.tsx";
import { CellLegend, statesIn } from "../../components/cells/cell-legend.tsx";
import { Empty } from "../../components/empty.tsx";
import { Section } from "../../components/page.tsx";
import { DownloadCsv } from "../../lists/download-csv.tsx";
import { GrowingTable } from "../../lists/growing-table.tsx";
import { useListState } from "../../lists/list-state.ts";
import { Loaded, LoadingMark } from "../../lists/loaded.tsx";
import { type Column, column } from "../../lists/table.tsx";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { errorGroups } from "./failures.ts";
import { LeftOutServices } from "./left-out.tsx";
import { type Rollout, type Target, targetStates } from "./rollout.ts";
import { RolloutErrors } from "./rollout-errors.tsx";
import { RolloutWaves } from "./rollout-waves.tsx";
import { TargetOutput } from "./target-output.tsx";
import { useTargets } from "./use-targets.ts";

const words = texts.rollouts.targets;

export function RolloutTargets({ rollout }: { rollout: Rollout }) {
  const { filters, setFilters } = useListState(["state", "error"]);
  const { state = "", error = "" } = filters;
  const { leftOut } = rollout;
  const wanted = useMemo(() => statesIn(targetStates, state), [state]);
  const query = useTargets(rollout);
  const groups = useMemo(() => errorGroups(query.data?.flat() ?? []), [query.data]);
  const isExpected = query.isPending && rollout.targets.FAILED > 0;
  return (
    <>
      {(groups.length > 0 || isExpected) && (
        <Section title={texts.rollouts.errors.title}>
          {isExpected && <LoadingMark />}
          <RolloutErrors
            groups={groups}
            chosen={error}
            onChoose={(code) => setFilters({ state: "", error: code })}
          />
        </Section>
      )}
      <Section title={words.title}>
        <search className="row inline-fields">
          <CellLegend
            legend={words.legend}
            states={statesOf(rollout, wanted)}
            counts={rollout.targets}
            wanted={wanted}
            onChange={(next) => setFilters({ state: [...next].join(","), error: "" })}
          />
        </search>
        <Loaded query={query}>
          {(pages) => (
            <Shown rollout={rollout} targets={pages.flat()} wanted={wanted} error={error} />
          )}
        </Loaded>
        {/* The server cannot limit the file to the services with a particular error. */}
        {error === "" && (
          <div className="row rollout-csv">
            <DownloadCsv
              list="rollouts.targets"
              params={{ rolloutId: rollout.id }}
              query={state ? { state } : {}}
            />
          </div>
        )}
        {leftOut && leftOut.total > 0 && (
          <LeftOutServices leftOut={leftOut.services} total={leftOut.total} />
        )}
      </Section>
    </>
  );
}

/** Returns all states while the rollout runs, so that none moves when its number changes. */
function statesOf({ completedAt, targets }: Rollout, wanted: ReadonlySet<TargetState>) {
  if (completedAt === null) return targetStates;
  return targetStates.filter((state) => targets[state] > 0 || wanted.has(state));
}

interface ShownProps {
  rollout: Rollout;
  targets: readonly Target[];
  wanted: ReadonlySet<TargetState>;
  error: string;
}

function Shown({ rollout, targets, wanted, error }: ShownProps) {
  const { total } = rollout;
  // Kept outside the table, so that an open output stays open when its service leaves the table.
  const [opened, setOpened] = useState<string | null>(null);
  const open = targets.find(({ serviceId }) => serviceId === opened);
  const isFiltered = wanted.size > 0 || error !== "";
  const shown = useMemo(
    () =>
      targets.filter(
        ({ state, errorCode }) =>
          (wanted.size === 0 || wanted.has(state)) && (error === "" || errorCode === error),
      ),
    [targets, wanted, error],
  );
  const listed = isFiltered ? shown : shown.filter(hasBegun);
  return (
    <>
      <p className="muted small map-note">
        {targets.length < total
          ? words.reading({ read: targets.length, total })
          : words.shown({ shown: shown.length, total })}
        <span className="map-keys">{` · ${words.keys}`}</span>
      </p>
      <RolloutWaves rollout={rollout} targets={shown} />
      {shown.length === 0 && targets.length > 0 && <Empty>{words.none}</Empty>}
      {listed.length > 0 && <TargetTable targets={listed} onOpen={setOpened} />}
      {open && (
        <TargetOutput target={open} action={rollout.action} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

/** Nothing is known about other services, so they are listed only if the user chooses them. */
function hasBegun({ state }: Target): boolean {
  return state !== "WAITING" && state !== "NOT_RUN";
}

function columnsFor(onOpen: (serviceId: string) => void): Column<Target>[] {
  return [
    column("service", texts.words.service, (target) => <ServiceLink of={target} />, {
      card: "title",
    }),
    column("state", texts.words.status, ({ state }) => <StatusBadge status={state} />, {
      card: "state",
    }),
    column("error", words.error, ErrorCell, { card: "fact" }),
    column("wave", words.wave, ({ wave }) => wave),
    column("ended", words.ended, ({ endedAt }) => endedAt && <Time at={endedAt} />, {
      card: "fact",
    }),
    column(
      "output",
      words.command,
      ({ commandId, serviceId, serviceCode }) =>
        commandId !== null && (
          <Button aria-label={`${words.output} ${serviceCode}`} onClick={() => onOpen(serviceId)}>
            {words.output}
          </Button>
        ),
      { whole: true },
    ),
    column("agent", texts.words.agent, (target) => <AgentLink of={target} />, { extra: true }),
  ];
}

function ErrorCell({ errorCode, errorMessage }: Target) {
  if (errorCode === null) return null;
  return (
    <>
      <code>{errorCode}</code> {errorMessage}
    </>
  );
}

const rowsAtFirst = 10;

interface TargetTableProps {
  targets: readonly Target[];
  /** Shows the output of the command on the service with this id. */
  onOpen: (serviceId: string) => void;
}

function TargetTable({ targets, onOpen }: TargetTableProps) {
  const ordered = useMemo(() => {
    const rank = ({ state }: Target) => targetStates.indexOf(state);
    return targets.toSorted((a, b) => rank(a) - rank(b) || a.position - b.position);
  }, [targets]);
  return (
    <div className="rollout-targets">
      <GrowingTable
        name="rollout-targets"
        label={words.list}
        columns={columnsFor(onOpen)}
        rows={ordered}
        rowKey={({ serviceId }) => serviceId}
        atFirst={rowsAtFirst}
      />
    </div>
  );
}
