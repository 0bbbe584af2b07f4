// Where a page ends before it begins: no such page, or not for this role.

import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Role, useMay } from "../client/session.ts";
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

/** Shows the page to those who may see it. */
export function Guarded({ role, children }: { role: Role; children: ReactNode }) {
  const may = useMay(role);
  if (may) return children;
  const { title, text } = texts.shell.forbidden;
  return (
    <Page title={title} lead={text(role)}>
      <Link to="/">{texts.shell.notFound.home}</Link>
    </Page>
  );
}
