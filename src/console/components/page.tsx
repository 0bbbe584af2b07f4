// The frame of a page. When it opens, its title gets the focus, so that screen readers start there.
// After Back, the link with which the user left the page gets the focus instead.

import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link, useLocation, useNavigationType } from "react-router";
import { notePage } from "../client/recent-pages.ts";
import { PageDialog } from "./dialogs/page-dialog.ts";
import { showInTab } from "./document-title.ts";
import { watchFirstLoad } from "./first-load.ts";
import { returnFocus } from "./focus/return-focus.ts";
import { softBreaks } from "./text/soft-breaks.tsx";
import "../styles/layout.css";
import "./page.css";

interface PageProps {
  title: string;
  badge?: ReactNode;
  lead?: ReactNode;
  parent?: { to: string; text: string };
  actions?: ReactNode;
  children: ReactNode;
}

interface SectionProps extends Pick<PageProps, "title" | "actions" | "children"> {
  /** Shows the content in a card. */
  card?: true;
}

export function Page({ title, badge, lead, parent, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [dialog, ask] = useState<ReactNode>(null);
  useEffect(() => showInTab({ page: title }), [title]);
  const { key, pathname } = useLocation();
  const list = parent?.text;
  useEffect(() => {
    if (list) notePage({ path: pathname, title, list });
  }, [pathname, title, list]);
  const navigation = useNavigationType();
  const arrive = useEffectEvent(() => {
    heading.current?.focus({ preventScroll: true });
    // After Back and Forward, the browser restores the scroll position itself.
    if (navigation === "POP")
      return heading.current ? returnFocus(key, heading.current) : undefined;
    scrollTo(0, 0);
    return undefined;
  });
  // Must precede `arrive`: observers run in the order of their creation, and the observer in
  // `returnFocus` finds the link only after this one has made it visible.
  useLayoutEffect(() => {
    const main = heading.current?.closest("main");
    return main ? watchFirstLoad(main) : undefined;
  }, []);
  // Only once: later, the title would take the focus from a field that the user has chosen.
  useLayoutEffect(() => arrive(), []);
  return (
    <PageDialog value={ask}>
      <header className="row page-header">
        <div className="page-title">
          {parent && (
            <Link className="small" to={parent.to}>
              {parent.text}
            </Link>
          )}
          <div className="row page-heading">
            <h1 ref={heading} tabIndex={-1}>
              {softBreaks(title)}
            </h1>
            {badge}
          </div>
          {lead && <p className="muted">{softBreaks(lead)}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
      {dialog}
    </PageDialog>
  );
}

export function Section({ title, actions, card, children }: SectionProps) {
  return (
    <section className="section">
      <header className="row section-header">
        <h2>{title}</h2>
        {actions}
      </header>
      {card ? <div className="card">{children}</div> : children}
    </section>
  );
}
