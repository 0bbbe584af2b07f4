// The audit trail, newest first, with filters in the address.

import { useState } from "react";
import { outcomeOf } from "../../../api/audit/words.ts";
import {
  auditActions,
  auditResults,
  auditTargetTypes,
} from "../../../domain/audit/audit-events.ts";
import { usePage } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/page.tsx";
import { auditStep, auditSubject } from "../../format/audit-subject.ts";
import { ChoiceFilter, Filters, TextFilter } from "../../lists/filters.tsx";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import type { Column } from "../../lists/table.tsx";
import { TimeFilter } from "../../lists/time-filter.tsx";
import { texts } from "../../texts/index.ts";
import { Actor } from "../../values/actor.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { TargetLink } from "../../values/target-link.tsx";
import { Time } from "../../values/time.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { type AuditRow, RowDetails } from "./row-details.tsx";
import { VerifyDialog } from "./verify-dialog.tsx";
import "./audit.css";

const words = texts.audit;

const filterNames = [
  "action",
  "actorType",
  "actorId",
  "targetType",
  "targetId",
  "result",
  "from",
  "to",
] as const;

/** Beginnings of actions, as filters: `command.*`. */
const beginnings = [...new Set(auditActions.map((action) => `${action.split(".")[0]}.*`))];
const suggestions = [...beginnings, ...auditActions];

export function Component() {
  const state = useListState(filterNames);
  const { page, pageSize, before, filters } = state;
  const query = usePage("audit-events.list", {
    query: { page, pageSize, before, ...filters } as never,
  });
  const [shown, setShown] = useState<AuditRow | "export" | "verify" | null>(null);
  const close = () => setShown(null);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <Button onClick={() => setShown("export")}>{words.export.open}</Button>
          <Button onClick={() => setShown("verify")}>{words.verify.open}</Button>
        </>
      }
    >
      <Filters state={state}>
        <TextFilter
          state={state}
          name="action"
          label={words.what}
          hint={words.actionHint}
          suggestions={suggestions}
        />
        <ChoiceFilter state={state} name="result" label={words.result} options={auditResults} />
        <ChoiceFilter
          state={state}
          name="actorType"
          label={words.actorType}
          options={Object.entries(words.actorTypes)}
        />
        <TextFilter state={state} name="actorId" label={words.actorId} hint={words.actorIdHint} />
        <ChoiceFilter
          state={state}
          name="targetType"
          label={words.targetType}
          options={auditTargetTypes}
        />
        <TextFilter
          state={state}
          name="targetId"
          label={words.targetId}
          hint={words.targetIdHint}
        />
        <TimeFilter state={state} name="from" label={texts.words.from} />
        <TimeFilter state={state} name="to" label={texts.words.to} />
      </Filters>
      <List
        name="audit-events"
        label={words.title}
        query={query}
        state={state}
        columns={columnsWith(setShown)}
        rowKey={({ id }) => id}
        empty={words.empty}
      />
      {shown === "export" && (
        <ExportDialog filters={filters} isFiltered={state.isFiltered} onClose={close} />
      )}
      {shown === "verify" && <VerifyDialog onClose={close} />}
      {shown !== null && typeof shown === "object" && <RowDetails row={shown} onClose={close} />}
    </Page>
  );
}

function Said({ row }: { row: AuditRow }) {
  const parts = [row.message, auditStep(row)].filter((part) => part !== null);
  return parts.length > 0 && <p className="audit-message small">{parts.join(": ")}</p>;
}

function columnsWith(onDetails: (row: AuditRow) => void): Column<AuditRow>[] {
  return [
    { key: "when", header: words.when, cell: ({ at }) => <Time at={at} /> },
    {
      key: "who",
      header: words.who,
      cell: (event) => <Actor of={event} />,
    },
    {
      key: "what",
      header: words.what,
      cell: (row) => (
        <div>
          <button
            type="button"
            className="audit-open"
            aria-label={words.details(row.action)}
            onClick={() => onDetails(row)}
          >
            {row.action}
          </button>
          <Said row={row} />
        </div>
      ),
    },
    {
      key: "target",
      header: words.target,
      cell: (event) => <TargetLink of={event} name={auditSubject(event)} />,
    },
    {
      key: "result",
      header: words.result,
      cell: (event) => <StatusBadge status={outcomeOf(event)} />,
    },
  ];
}
