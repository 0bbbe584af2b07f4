import type { ReactNode } from "react";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { Time } from "../values/time.tsx";
import { GrowingTable } from "./growing-table.tsx";
import { type Column, column } from "./table.tsx";

export type Session = Reply<"auth.sessions">[number];

const words = texts.account.sessions;

interface SessionsProps {
  label: string;
  sessions: readonly Session[];
  /** The content of the last column. */
  act?: (session: Session) => ReactNode;
}

export function Sessions({ label, sessions, act }: SessionsProps) {
  const acts = act ? [column("act", texts.words.change, act)] : [];
  return (
    <GrowingTable
      name="sessions"
      label={label}
      columns={[...columns, ...acts]}
      rows={sessions}
      rowKey={({ id }) => id}
      atFirst={10}
    />
  );
}

const columns: Column<Session>[] = [
  column("from", words.from, ({ ip, current }) => (
    <>
      {ip ?? words.unknown}
      {current && <span className="muted">{texts.words.aside({ text: words.thisOne })}</span>}
    </>
  )),
  column("browser", words.browser, ({ userAgent }) => userAgent ?? words.unknown),
  column("lastUsed", words.lastUsed, ({ lastUsedAt }) => <Time at={lastUsedAt} />),
  column("began", words.began, ({ createdAt }) => <Time at={createdAt} />),
  column("ends", words.ends, ({ expiresAt }) => <Time at={expiresAt} />),
];
