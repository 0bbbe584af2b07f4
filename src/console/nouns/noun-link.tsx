// A link to an object's page. Users who may not open the page see plain text.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Failing } from "../client/api-error.ts";
import { useCall } from "../client/queries.ts";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { shortId } from "../format/ids.ts";
import { addressOf } from "./addresses.ts";
import { isNamed, nounNamed, type Row, titleOf } from "./nouns.ts";
import { useRights } from "./rights.ts";

interface NounLinkProps {
  /** The name of a noun. */
  to: string;
  id: string;
  /** Defaults to the object's name, which the link loads, or to the id if there is no name. */
  children?: ReactNode;
}

export function NounLink({ to, id, children }: NounLinkProps) {
  const noun = nounNamed(to);
  const may = useRights();
  const words = children ?? (isNamed(noun) ? <ObjectName noun={to} id={id} /> : id);
  if (!may(noun, "list")) return <span title={id}>{softBreaks(children ?? shortId(id))}</span>;
  return (
    <Link to={addressOf(to, id)} title={children ? undefined : id}>
      {softBreaks(words)}
    </Link>
  );
}

/** Loads and shows the name of an object. */
export function ObjectName({ noun: name, id }: { noun: string; id: string }) {
  const noun = nounNamed(name);
  const { data } = useOne(name, id);
  return data ? softBreaks(titleOf(noun, data)) : shortId(id);
}

/** Must not be used for commands, because reading a command has side effects. */
export function useOne(noun: string, id: string) {
  const { param } = nounNamed(noun);
  const params = { [param]: id } as never;
  const query = useCall(`${noun}.get` as "agents.get", { params }, { enabled: id !== "" });
  return query as UseQueryResult<Row, Failing>;
}
