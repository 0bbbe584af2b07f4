// Buttons for the selected rows of a list: the noun's acts, each for the rows that permit it.

import { type ReactNode, useState } from "react";
import type { ActSpec, Noun } from "../../api/contract/noun.ts";
import { type Confirmation, call } from "../client/call.ts";
import { refreshAll } from "../client/queries.ts";
import { useSingleMutation } from "../client/use-single-mutation.ts";
import { Button } from "../components/buttons/button.tsx";
import { Confirm } from "../components/dialogs/confirm.tsx";
import { Dialog } from "../components/dialogs/dialog.tsx";
import { useAsk } from "../components/dialogs/page-dialog.ts";
import { messageOf } from "../components/failure.tsx";
import { focusMain } from "../components/focus/focus-main.ts";
import { useNotice } from "../components/notices.tsx";
import { firstOf } from "../format/first-of.ts";
import { count } from "../format/number.ts";
import type { Selection } from "../lists/selection.tsx";
import { texts } from "../texts/index.ts";
import { DeclaredAmong } from "./declared.tsx";
import { actCall, effectsOf, Happens, offeredActs } from "./noun-acts.tsx";
import { type Row, titleOf, verbOf } from "./nouns.ts";
import { useRights } from "./rights.ts";
import "./bulk-acts.css";

const words = texts.selection;
/** A confirmation lists at most this many titles. */
const mostNamed = 20;

interface BulkActsProps {
  noun: Noun;
  selection: Selection<Row>;
  /** Further buttons, besides the noun's acts. */
  more?: ReactNode;
}

interface Offered {
  word: string;
  act: ActSpec;
  rows: readonly Row[];
}

/** Returns the verb. If not all rows permit the act, adds the number of those that do. */
export function verbFor(verb: string, fitting: readonly object[], rows: readonly object[]): string {
  return fitting.length === rows.length ? verb : words.act({ verb, only: fitting.length });
}

export function BulkActs({ noun, selection, more }: BulkActsProps) {
  const may = useRights();
  const ask = useAsk();
  const { rows, only, clear } = selection;
  const offered = Object.entries(noun.acts).flatMap(([word, act]): Offered[] => {
    const fitting = rows.filter((row) => offeredActs(noun, row, may).some(([one]) => one === word));
    return fitting.length > 0 ? [{ word, act, rows: fitting }] : [];
  });
  const confirm = ({ word, act, rows }: Offered) => (
    <ConfirmForRows
      verb={verbOf(word, act)}
      keep={act.keep}
      isDangerous={act.danger === true}
      rows={rows}
      titleOf={(row) => titleOf(noun, row)}
      run={(row) => call(...actCall(noun, word, act, row))}
      onClose={() => ask(null)}
      onDone={only}
    >
      <Happens lines={[...new Set(rows.flatMap((row) => effectsOf(act, row) ?? []))]} />
      <DeclaredAmong rows={rows} />
    </ConfirmForRows>
  );
  // Hidden rather than removed, so that it can fade out.
  return (
    <div className="row selection-bar panel" hidden={rows.length === 0}>
      <span role="status">{words.selected({ many: rows.length })}</span>
      <Button
        kind="quiet"
        onClick={() => {
          clear();
          focusMain();
        }}
      >
        {words.clear}
      </Button>
      {offered.map((each) => (
        <Button
          key={each.word}
          kind={each.act.danger ? "danger" : "plain"}
          onClick={() => ask(confirm(each))}
        >
          {verbFor(verbOf(each.word, each.act), each.rows, rows)}
        </Button>
      ))}
      {more}
    </div>
  );
}

interface AskedForRowsProps<T> {
  verb: string;
  keep?: string | undefined;
  /** Whether the user must type the number of rows first. */
  isDangerous: boolean;
  rows: readonly T[];
  titleOf: (row: T) => string;
  run: (row: T, confirmation: Confirmation) => Promise<unknown>;
  onClose: () => void;
  /** `failed` contains the rows for which the server refused the call. */
  onDone: (failed: readonly T[]) => void;
  children?: ReactNode;
}

interface Outcome<T> {
  done: number;
  /** The server's error messages, by row. */
  problems: { row: T; text: string }[];
}

/** Asks for confirmation, then makes one call after the other. Continues if a call fails. */
export function ConfirmForRows<T>(props: AskedForRowsProps<T>) {
  const { verb, keep, isDangerous, rows, titleOf, run, onClose, onDone, children } = props;
  const many = rows.length;
  const notify = useNotice();
  const [finished, setFinished] = useState(0);
  const doing = useSingleMutation<Outcome<T>, Confirmation>({
    mutationFn: async (confirmation) => {
      const outcome: Outcome<T> = { done: 0, problems: [] };
      for (const row of rows) {
        try {
          await run(row, confirmation);
          outcome.done++;
        } catch (error) {
          outcome.problems.push({ row, text: messageOf(error) });
        }
        setFinished(outcome.done + outcome.problems.length);
      }
      return outcome;
    },
    onSuccess({ done, problems }) {
      refreshAll();
      if (problems.length > 0) return;
      notify(words.done({ verb, many: done }));
      onClose();
      onDone([]);
    },
  });
  const { data } = doing;
  if (data) {
    const close = () => {
      onClose();
      onDone(data.problems.map(({ row }) => row));
    };
    return (
      <Dialog
        title={words.partly({ verb, done: data.done, many })}
        onClose={close}
        actions={
          <Button kind="primary" onClick={close}>
            {texts.words.close}
          </Button>
        }
      >
        <ul>
          {data.problems.map(({ row, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several rows can have the same title
            <li key={index}>
              {titleOf(row)}
              {texts.words.colon}
              {text}
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Confirm
      title={words.asks({ verb, many })}
      verb={verb}
      keep={keep}
      danger={isDangerous}
      word={isDangerous ? { label: words.type({ many }), expected: count(many) } : undefined}
      busy={doing.isPending}
      error={doing.error}
      onConfirm={(confirmation) => doing.mutate(confirmation)}
      onClose={onClose}
    >
      <p>{firstOf(rows.map(titleOf), mostNamed)}</p>
      {children}
      {doing.isPending && <p role="status">{words.progress({ done: finished, many })}</p>}
    </Confirm>
  );
}
