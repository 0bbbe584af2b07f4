// Where a page ends before it begins: no such page, or not for this role.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Role } from "../../domain/principals.ts";
import { useMay, useMe } from "../client/session.ts";
import { Page } from "../components/page.tsx";
import { texts } from "../texts/index.ts";

export function NotFound() {
  const { title, text, home } = texts.shell.notFound;
  return (
    <Page title={title} lead={text}>
      <Link to="/">{home}</Link>
    </Page>
  );
}

interface GuardedProps {
  role: Role;
  /** It is there only while the event bus is on. */
  bus: boolean;
  children: ReactNode;
}

/** Shows the page to those who may see it, and where there is what it is about. */
export function Guarded({ role, bus, children }: GuardedProps) {
  const may = useMay(role);
  const { busEnabled } = useMe().installation;
  if (bus && !busEnabled) return <Closed {...texts.shell.busOff} />;
  if (may) return children;
  const { title, text } = texts.shell.forbidden;
  return <Closed title={title} text={text(role)} />;
}

function Closed({ title, text }: { title: string; text: string }) {
  return (
    <Page title={title} lead={text}>
      <Link to="/">{texts.shell.notFound.home}</Link>
    </Page>
  );
}
