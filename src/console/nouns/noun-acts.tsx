// A button for each act that the object's status and the user's role permit. Acts that can be
// undone are performed at once; all others ask for confirmation.

import { type ReactNode, useState } from "react";
import type { ActSpec, Noun } from "../../api/contract/noun.ts";
import { call } from "../client/call.ts";
import { refreshAll, useAct } from "../client/queries.ts";
import { useSingleMutation } from "../client/use-single-mutation.ts";
import { Button } from "../components/buttons/button.tsx";
import { Confirm } from "../components/dialogs/confirm.tsx";
import { useAsk } from "../components/dialogs/page-dialog.ts";
import { messageOf } from "../components/failure.tsx";
import { useNotice } from "../components/notices.tsx";
import { useLeavePage } from "../components/use-leave-page.ts";
import { texts } from "../texts/index.ts";
import { listAddress } from "./addresses.ts";
import { DeclaredNote, whereDeclared } from "./declared.tsx";
import { filled, type NounName, nouns, type Row, titleOf, verbOf } from "./nouns.ts";
import { type Rights, useRights } from "./rights.ts";

interface NounActsProps {
  noun: NounName;
  row: { id: string };
  /**
   * In a list, each button names its object, a deletion does not leave the page, and a dialog shows
   * the object as it was when the dialog opened.
   */
  inList?: true;
  /** Offers only these acts, so that a row has few buttons. */
  only?: readonly string[];
  /** More content for the confirmation of each act. */
  more?: Readonly<Record<string, ReactNode>>;
  /** The query parameters of each act's call. */
  queries?: Readonly<Record<string, object>>;
  onDone?: () => void;
}

export function NounActs(props: NounActsProps) {
  const { noun: name, row: given, inList, only, more, queries, onDone } = props;
  const noun = nouns[name];
  const row = given as Row;
  const may = useRights();
  const askOnPage = useAsk();
  const [asked, setAsked] = useState<Asked | null>(null);
  const dialogFor = ({ word, failure }: Asked, close: () => void) => (
    <AskedAct
      // All rows of a list share the dialog of their page.
      key={`${word} ${row.id}`}
      noun={noun}
      word={word}
      row={row}
      leavesPage={word === "delete" && !inList}
      query={queries?.[word]}
      failure={failure}
      onDone={onDone}
      onClose={close}
    >
      {more?.[word]}
    </AskedAct>
  );
  const ask = (next: Asked) =>
    inList ? askOnPage(dialogFor(next, () => askOnPage(null))) : setAsked(next);
  const atOnce = useAtOnce(noun, row, (word, failure) => ask({ word, failure }), onDone);
  const offered = offeredActs(noun, row, may).filter(([word]) => only?.includes(word) ?? true);
  const label = (verb: string) => (inList ? { "aria-label": `${verb} ${titleOf(noun, row)}` } : {});
  return (
    <>
      {offered.map(([word, act]) => (
        <Button
          // The button of the reverse act takes the place of this button, and keeps the focus.
          key={act.undo ?? word}
          {...label(verbOf(word, act))}
          kind={act.danger ? "danger" : "plain"}
          busy={atOnce.isPending && act.undo !== undefined}
          onClick={() => (act.undo === undefined ? ask({ word }) : atOnce.mutate(word))}
        >
          {verbOf(word, act)}
        </Button>
      ))}
      {asked && dialogFor(asked, () => setAsked(null))}
    </>
  );
}

interface Asked {
  word: string;
  /** The error of an act that was performed without confirmation. */
  failure?: unknown;
}

/**
 * Performs an act immediately, and offers to undo it. If the act fails, `onFailure` asks whether to
 * try again.
 */
function useAtOnce(
  noun: Noun,
  row: Row,
  onFailure: (word: string, failure: unknown) => void,
  onDone: (() => void) | undefined,
) {
  const notify = useNotice();
  const send = (word: string) => call(...actCall(noun, word, noun.acts[word] ?? {}, row));
  const isDeclared = whereDeclared({ of: row }) !== null;
  const noticeFor = (word: string) => {
    const text = doneText(noun, word, row);
    return isDeclared ? texts.declared.done({ text }) : text;
  };
  const undo = async (word: string) => {
    try {
      await send(word);
      notify(noticeFor(word));
    } catch (error) {
      notify(messageOf(error));
    }
    refreshAll();
  };
  return useSingleMutation<unknown, string>({
    mutationFn: send,
    onSuccess(_, word) {
      const back = noun.acts[word]?.undo ?? "";
      const verb = verbOf(back, noun.acts[back] ?? {});
      notify(noticeFor(word), { verb, act: () => void undo(back) });
      onDone?.();
    },
    onError: (error, word) => onFailure(word, error),
    onSettled: () => refreshAll(),
  });
}

function doneText(noun: Noun, word: string, row: Row): string {
  const act = noun.acts[word] ?? {};
  if (act.done) return filled(act.done, noun, row);
  return texts.nouns.done({ verb: verbOf(word, act), title: titleOf(noun, row) });
}

export function offeredActs(noun: Noun, row: Row, may: Rights): [word: string, act: ActSpec][] {
  return Object.entries(noun.acts).filter(
    ([word, act]) => mayAct(may, noun, word) && isOffered(act, row),
  );
}

/** Returns the name and the input of an act's call. */
export function actCall(noun: Noun, word: string, { sets }: ActSpec, row: Row, query?: object) {
  const name = `${noun.noun}.${routeOf(noun, word)}` as "agents.delete";
  const body = sets && { ...sets, version: row.version };
  const input = {
    params: { [noun.param]: row.id },
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
  };
  return [name, input as never] as const;
}

export function mayDoAny(may: Rights, noun: Noun): boolean {
  return Object.keys(noun.acts).some((word) => mayAct(may, noun, word));
}

function mayAct(may: Rights, noun: Noun, word: string): boolean {
  return may(noun, routeOf(noun, word));
}

function routeOf({ acts }: Noun, word: string): string {
  return acts[word]?.sets ? "update" : word;
}

function isOffered({ when = {}, refusedWhen }: ActSpec, row: Row): boolean {
  const fits = Object.entries(when).every(([field, values]) => values?.includes(`${row[field]}`));
  return fits && (refusedWhen === undefined || row.status !== refusedWhen);
}

interface AskedActProps {
  noun: Noun;
  word: string;
  row: Row;
  leavesPage: boolean;
  query: object | undefined;
  failure: unknown;
  onDone: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

function AskedAct(props: AskedActProps) {
  const { noun, word, row, leavesPage, query, failure, onDone, onClose, children } = props;
  const act = noun.acts[word] ?? {};
  const { asks, question, keep, danger = false, typed } = act;
  const title = titleOf(noun, row);
  const verb = verbOf(word, act);
  const notify = useNotice();
  const leave = useLeavePage();
  const whenDone = (reply: object) => {
    notify(doneText(noun, word, { ...row, ...reply }));
    // A dialog of this page stays until the list is shown.
    if (leavesPage) leave(listAddress(noun.noun), { replace: true, state: withoutAsking });
    else onClose();
    onDone?.();
  };
  const [name, input] = actCall(noun, word, act, row, query);
  const doing = useAct(name, whenDone, leavesPage ? { leaving: true } : {});
  const own = question ?? asks;
  const asked = own === undefined ? texts.nouns.asks({ verb, title }) : filled(own, noun, row);
  const [heading = "", short = ""] = asked.split(/(?<=\?) /);
  return (
    <Confirm
      title={heading}
      verb={verb}
      keep={keep}
      danger={danger}
      word={typed ? { label: texts.nouns.type({ one: noun.one }), expected: title } : undefined}
      busy={doing.isPending || (leavesPage && doing.isSuccess)}
      error={doing.error ?? failure}
      onConfirm={() => doing.mutate(input)}
      onClose={onClose}
    >
      <Happens lines={effectsOf(act, row) ?? [short]} />
      <DeclaredNote of={row} />
      {children}
    </Confirm>
  );
}

/** The user has confirmed the act, so leaving the page needs no further confirmation. */
const withoutAsking = { mayLeave: true };

export function effectsOf({ happens }: ActSpec, row: Row): readonly string[] | undefined {
  if (!happens || isList(happens)) return happens;
  return happens[String(row.status)];
}

function isList(happens: NonNullable<ActSpec["happens"]>): happens is readonly string[] {
  return Array.isArray(happens);
}

export function Happens({ lines }: { lines: readonly string[] }) {
  if (lines.length === 1) return <p>{lines[0]}</p>;
  return (
    <ul className="happens">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
