// One of a noun that has no page of its own: what its description shows of it, its acts, and its audit trail.

import type { ReactNode } from "react";
import { Navigate, useParams } from "react-router";
import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import { Page, Section } from "../components/page.tsx";
import { AuditTrail } from "../lists/audit-trail.tsx";
import { Loaded } from "../lists/loaded.tsx";
import { Guarded, NotFound } from "../shell/edges.tsx";
import { texts } from "../texts/index.ts";
import { Facts } from "../values/facts.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { addressOf, hasOwnPages, hasPageOfOne, listAddress } from "./addresses.ts";
import { NounActs } from "./noun-acts.tsx";
import { cellOf } from "./noun-columns.tsx";
import { useOne } from "./noun-link.tsx";
import { capitalized, findNoun, headingOf, type NounName, type Row, titleOf } from "./nouns.ts";

export function Component() {
  const { noun: name = "", id = "" } = useParams();
  const noun = findNoun(name);
  if (!noun?.access.get) return <NotFound />;
  if (hasOwnPages(name) && hasPageOfOne(name)) return <Navigate to={addressOf(name, id)} replace />;
  return (
    <Guarded role={noun.access.get} bus={noun.bus === true}>
      <AnyOne key={id} noun={noun} id={id} />
    </Guarded>
  );
}

function AnyOne({ noun, id }: { noun: Noun; id: string }) {
  const query = useOne(noun.noun, id);
  const { data: row } = query;
  const state = noun.columns.find(({ kind }) => kind === "state");
  return (
    <Page
      title={row ? titleOf(noun, row) : capitalized(noun.one)}
      badge={row && state && <StatusBadge status={String(valueIn(row, state.of))} />}
      parent={{ to: listAddress(noun.noun), text: noun.title }}
      actions={row && <NounActs noun={noun.noun as NounName} row={row} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <div className="card">
            <Facts facts={factsOf(noun, loaded)} />
          </div>
        )}
      </Loaded>
      <Section title={texts.shell.pages.audit}>
        <AuditTrail targetId={id} />
      </Section>
    </Page>
  );
}

function factsOf({ columns, details = [] }: Noun, row: Row) {
  const isReplaced = (name: string) => details.some((detail) => detail.name === name);
  const all = [...columns.filter(({ name }) => !isReplaced(name)), ...details];
  return all.map((column): [string, ReactNode] => [headingOf(column), cellOf(column, row)]);
}
