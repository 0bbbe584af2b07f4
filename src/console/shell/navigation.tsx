// Links to the pages that the user's role and the server's configuration allow.

import { NavLink } from "react-router";
import { mayActAs } from "../../domain/principals.ts";
import { useMe } from "../client/session.ts";
import { texts } from "../texts/index.ts";
import { type ConsolePage, pages } from "./pages.ts";

export function Navigation() {
  const groups = Object.entries(texts.shell.groups).map(([group, title]) => ({
    title,
    pages: pages.filter(({ nav }) => nav?.group === group),
  }));
  return (
    <nav aria-label={texts.shell.navigation}>
      {groups.map(({ title, pages }) => (
        <Group key={title} title={title} pages={pages} />
      ))}
    </nav>
  );
}

function Group({ title, pages }: { title: string; pages: ConsolePage[] }) {
  const { user, installation } = useMe();
  const shown = pages.filter(
    ({ role = "viewer", bus }) => mayActAs(user.role, role) && (!bus || installation.busEnabled),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <h2 className="nav-group">{title}</h2>
      <ul className="plain">
        {shown.map(({ path, nav }) => (
          <li key={path}>
            <NavLink to={path} end={path === "/"}>
              {nav?.text}
              {nav?.Badge && <nav.Badge />}
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  );
}
