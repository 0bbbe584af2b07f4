// The page of an object whose noun otherwise has only a list, such as an API key.

import type { ReactNode } from "react";
import { Navigate, useParams } from "react-router";
import type { Noun } from "../../api/contract/noun.ts";
import { AuditTrail } from "../lists/audit-trail.tsx";
import { Guarded, NotFound } from "../shell/no-page.tsx";
import { Facts } from "../values/facts.tsx";
import { addressOf, hasPageOfOne } from "./addresses.ts";
import { cellOf } from "./noun-columns.tsx";
import { useOne } from "./noun-link.tsx";
import { NounPage } from "./noun-page.tsx";
import { findNoun, headingOf, type Row } from "./nouns.ts";

export function Component() {
  const { noun: name = "", id = "" } = useParams();
  const noun = findNoun(name);
  if (!noun?.access.get) return <NotFound />;
  if (hasPageOfOne(name)) return <Navigate to={addressOf(name, id)} replace />;
  return (
    <Guarded role={noun.access.get} bus={noun.bus}>
      <AnyOne noun={noun} id={id} />
    </Guarded>
  );
}

function AnyOne({ noun, id }: { noun: Noun; id: string }) {
  const query = useOne(noun.noun, id);
  return (
    <NounPage noun={noun} query={query} below={<AuditTrail targetId={id} />}>
      {(row) => <Facts card facts={factsOf(noun, row)} />}
    </NounPage>
  );
}

function factsOf({ columns, details = [] }: Noun, row: Row) {
  const isReplaced = (name: string) => details.some((detail) => detail.name === name);
  const all = [...columns.filter(({ name }) => !isReplaced(name)), ...details];
  return all.map((column): [string, ReactNode] => [headingOf(column), cellOf(column, row)]);
}
