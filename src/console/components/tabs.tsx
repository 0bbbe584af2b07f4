// Parts of a page behind each other. Which one is shown is in the address.

import { Link, useSearchParams } from "react-router";
import "./tabs.css";

export interface Tab<K extends string> {
  key: K;
  text: string;
}

/** The key of the tab that is shown; the first one when the address says nothing. */
export function useTab<K extends string>(tabs: readonly Tab<K>[]): K {
  const [query] = useSearchParams();
  const wanted = query.get("tab");
  return (tabs.find(({ key }) => key === wanted) ?? tabs[0])?.key as K;
}

export function Tabs<K extends string>({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly Tab<K>[];
}) {
  const current = useTab(tabs);
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ key, text }, index) => (
        <Link
          key={key}
          to={index === 0 ? "?" : `?tab=${key}`}
          replace
          aria-current={key === current ? "page" : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
