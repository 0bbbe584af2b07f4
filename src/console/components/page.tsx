// The frame of one page: its title, which the browser's tab has too, what can be done, and its content.
// On the way from page to page the focus goes to the title, so that keyboards and readers start there.

import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { Link, useNavigationType } from "react-router";
import { texts } from "../texts/index.ts";
import "./layout.css";
import "./page.css";

interface PageProps {
  title: string;
  /** A state of what the page is of, beside its title. */
  badge?: ReactNode;
  lead?: ReactNode;
  /** The list that it belongs to. */
  parent?: { to: string; text: string };
  /** Buttons. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, badge, lead, parent, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.shell.product}`;
  }, [title]);
  const navigation = useNavigationType();
  const arrive = useEffectEvent(() => {
    heading.current?.focus({ preventScroll: true });
    // On the way back the browser knows where one was.
    if (navigation !== "POP") scrollTo(0, 0);
  });
  useEffect(() => arrive(), []);
  return (
    <>
      <header className="page-header">
        <div className="page-title">
          {parent && (
            <Link className="page-parent" to={parent.to}>
              {parent.text}
            </Link>
          )}
          <div className="page-heading">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {badge}
          </div>
          {lead && <p className="muted">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="section">
      <header className="section-header">
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
