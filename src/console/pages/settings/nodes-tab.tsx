// The servers that share the database.

import type { ComponentProps } from "react";
import type { Page } from "../../components/page.tsx";
import { NounList } from "../../nouns/noun-list.tsx";

export function NodesTab() {
  return <NounList noun="nodes" frame={BelowTabs} />;
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
