// The servers that share the database.

import type { ComponentProps } from "react";
import type { Page } from "../../components/page.tsx";
import { NounList } from "../../nouns/noun-list.tsx";

/** The live stream does not report that a node falls silent. */
const everyMs = 10_000;

export function NodesTab() {
  return <NounList noun="nodes" frame={BelowTabs} everyMs={everyMs} />;
}

/** A frame without a title, because the name of the tab is the title. */
function BelowTabs({ lead, children }: ComponentProps<typeof Page>) {
  return (
    <>
      <p className="muted">{lead}</p>
      {children}
    </>
  );
}
