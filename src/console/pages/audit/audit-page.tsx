// The audit trail. The URL contains the filters.

import { exportFormats } from "../../../domain/audit/audit-events.ts";
import { hrefOf } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { Page } from "../../components/page.tsx";
import {
  type AuditEvent,
  auditOutcome,
  auditStep,
  auditSubject,
} from "../../format/audit-event.ts";
import { useKeptRows } from "../../lists/kept-rows.ts";
import { List } from "../../lists/list.tsx";
import { useListState } from "../../lists/list-state.ts";
import { type Column, column } from "../../lists/table.tsx";
import { NounFilters } from "../../nouns/noun-filters.tsx";
import { SavedViews, SaveViewButton } from "../../nouns/views/saved-views.tsx";
import { useViewColumns } from "../../nouns/views/view-columns.ts";
import { texts } from "../../texts/index.ts";
import { Actor } from "../../values/actor.tsx";
import { AuditNote } from "../../values/audit-sentence.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { TargetLink } from "../../values/target-link.tsx";
import { Time } from "../../values/time.tsx";
import { auditList } from "./audit-list.ts";
import { RowOf, useShownRow } from "./row-details.tsx";
import { VerifyDialog } from "./verify-dialog.tsx";
import "./audit.css";

const words = texts.audit;

export function Component() {
  const state = useListState(auditList.filters.map(({ name }) => name));
  const { page, pageSize, before, isFiltered } = state;
  const query = usePage("audit-events.list", {
    query: { page, pageSize, before, ...state.asked } as never,
  });
  const kept = useKeptRows(query, auditList.filters);
  const [shown, show] = useShownRow();
  const columns = columnsWith(({ seq }) => show(seq));
  const chosen = useViewColumns("audit-events", columns);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <DialogButton text={words.export.open}>
            {(close) => (
              <ExportDialog filters={state.asked} isFiltered={isFiltered} onClose={close} />
            )}
          </DialogButton>
          <DialogButton text={words.verify.open}>
            {(close) => <VerifyDialog onClose={close} />}
          </DialogButton>
        </>
      }
    >
      <SavedViews list="audit-events" />
      <NounFilters
        list={auditList}
        state={state}
        error={query.error}
        actions={
          <SaveViewButton list="audit-events" state={state} columns={columns} chosen={chosen} />
        }
      />
      <List
        name="audit-events"
        label={words.title}
        query={kept}
        state={state}
        columns={columns}
        chosen={chosen}
        opensRows
        rowKey={({ id }) => id}
        empty={words.empty}
      />
      {shown !== null && (
        <RowOf seq={shown} rows={query.data?.data ?? []} onClose={() => show(null)} />
      )}
    </Page>
  );
}

function columnsWith(onDetails: (row: AuditEvent) => void): Column<AuditEvent>[] {
  return [
    column("when", words.when, ({ at }) => <Time at={at} exact />, { card: "fact" }),
    column("who", words.who, (event) => <Actor of={event} />, { card: "fact" }),
    column(
      "what",
      words.what,
      (row) => (
        <div>
          <button
            type="button"
            className="audit-open"
            aria-label={words.details({ what: row.action })}
            onClick={() => onDetails(row)}
          >
            {row.action}
          </button>
          {(row.message !== null || auditStep(row) !== null) && (
            <p className="audit-message muted small">
              <AuditNote of={row} />
            </p>
          )}
        </div>
      ),
      { card: "title" },
    ),
    column(
      "target",
      words.target,
      (event) => <TargetLink of={event} name={auditSubject(event)} />,
      { card: "fact" },
    ),
    column("result", words.result, (event) => <StatusBadge status={auditOutcome(event)} />, {
      card: "state",
    }),
  ];
}

interface ExportDialogProps {
  filters: Partial<Record<string, string>>;
  isFiltered: boolean;
  onClose: () => void;
}

function ExportDialog({ filters: given, isFiltered, onClose }: ExportDialogProps) {
  const { title, filtered, all, audited, formats } = words.export;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        {isFiltered ? filtered : all} {audited}
      </p>
      <ul className="audit-formats stack plain">
        {exportFormats.map((format) => (
          <li key={format}>
            <a
              className="button"
              download
              href={hrefOf("audit-events.export", { query: { format, ...given } as never })}
            >
              {formats[format]}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
