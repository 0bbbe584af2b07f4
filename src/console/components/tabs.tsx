// The tabs of a page. The URL contains the current tab.

import { Link, useSearchParams } from "react-router";
import "./tabs.css";

export interface Tab<K extends string> {
  key: K;
  text: string;
}

export function useTab<K extends string>(tabs: readonly Tab<K>[]): K {
  const [query] = useSearchParams();
  const wanted = query.get("tab");
  return (tabs.find(({ key }) => key === wanted) ?? tabs[0])?.key as K;
}

export function Tabs<K extends string>(props: { label: string; tabs: readonly Tab<K>[] }) {
  const { label, tabs } = props;
  const current = useTab(tabs);
  const [query] = useSearchParams();
  // If the URL names the first tab, its link does, too. Otherwise, `Unsaved` would see a new page.
  const isNamed = (key: K) => query.get("tab") === key;
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ key, text }, index) => (
        <Link
          key={key}
          to={index === 0 && !isNamed(key) ? "?" : `?tab=${key}`}
          replace
          aria-current={key === current ? "page" : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
