// Links to the pages that the user may open.

import { NavLink } from "react-router";
import { texts } from "../texts/index.ts";
import { type NavPage, useNavPages } from "./nav-pages.ts";

export function Navigation() {
  const pages = useNavPages();
  const groups = Object.entries(texts.shell.groups).map(([group, title]) => ({
    title,
    pages: pages.filter(({ nav }) => nav.group === group),
  }));
  return (
    <nav aria-label={texts.shell.navigation}>
      {groups.map(({ title, pages }) => (
        <Group key={title} title={title} pages={pages} />
      ))}
    </nav>
  );
}

function Group({ title, pages }: { title: string; pages: NavPage[] }) {
  if (pages.length === 0) return null;
  return (
    <>
      <h2 className="nav-group">{title}</h2>
      <ul className="plain">
        {pages.map(({ path, nav }) => (
          <li key={path}>
            <NavLink to={path} end={path === "/"} title={nav.text}>
              <nav.Icon aria-hidden="true" />
              <span className="nav-text">{nav.text}</span>
              {nav.Badge && <nav.Badge />}
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  );
}
