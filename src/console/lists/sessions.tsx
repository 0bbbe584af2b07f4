import type { ReactNode } from "react";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { Time } from "../values/time.tsx";
import { type Column, Table } from "./table.tsx";

export type Session = Reply<"auth.sessions">[number];

const words = texts.account.sessions;

interface SessionsProps {
  label: string;
  sessions: readonly Session[];
  /** The content of the last column. */
  act?: (session: Session) => ReactNode;
}

export function Sessions({ label, sessions, act }: SessionsProps) {
  const acts: Column<Session>[] = act
    ? [{ key: "act", header: texts.words.change, cell: act }]
    : [];
  return (
    <Table
      name="sessions"
      label={label}
      columns={[...columns, ...acts]}
      rows={sessions}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<Session>[] = [
  {
    key: "from",
    header: words.from,
    cell: ({ ip, current }) => (
      <>
        {ip ?? words.unknown} {current && <span className="muted">({words.thisOne})</span>}
      </>
    ),
  },
  { key: "browser", header: words.browser, cell: ({ userAgent }) => userAgent ?? words.unknown },
  { key: "lastUsed", header: words.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { key: "began", header: words.began, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { key: "ends", header: words.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
];
