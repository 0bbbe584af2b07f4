// All saved views: the shared ones, and the user's own.

import { Link } from "react-router";
import { useMay } from "../../client/session.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { titleOfList } from "../../nouns/nouns.ts";
import { type View, viewAddress } from "../../nouns/views/view-address.ts";

const cells = {
  name: (view: View) => <Link to={viewAddress(view)}>{view.name}</Link>,
  list: ({ noun }: View) => titleOfList(noun),
};

export function Component() {
  const mayShare = useMay("operator");
  return (
    <NounList
      noun="saved-views"
      cells={cells}
      acts={(view) =>
        (!view.shared || mayShare) && <NounActs noun="saved-views" row={view} inList />
      }
    />
  );
}
