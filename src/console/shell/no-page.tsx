// Messages in place of a page that does not exist or that the user may not open.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Role } from "../../domain/access/principals.ts";
import { useMay, useMe } from "../client/session.ts";
import { Page } from "../components/page.tsx";
import { texts } from "../texts/index.ts";

export function NotFound() {
  return <Closed {...texts.shell.notFound} />;
}

interface GuardedProps {
  role: Role;
  /** Whether the page exists only while the event bus is on. */
  bus?: true | undefined;
  children: ReactNode;
}

export function Guarded({ role, bus, children }: GuardedProps) {
  const may = useMay(role);
  const { busEnabled } = useMe().installation;
  if (bus && !busEnabled) return <Closed {...texts.shell.busOff} />;
  if (may) return children;
  const { title, text } = texts.shell.forbidden;
  return <Closed title={title} text={text({ role: texts.users.roles[role] })} />;
}

function Closed({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title} lead={text}>
      <Link to="/">{texts.shell.notFound.home}</Link>
    </Page>
  );
}
