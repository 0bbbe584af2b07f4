// The state of the route editor.

import { useState } from "react";
import { conflictIn } from "../../../client/api-error.ts";
import { call, type Reply } from "../../../client/call.ts";
import { refreshAll } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { draftOf, isSameDraft, type Route, type RouteDraft, ruleOf } from "./route-draft.ts";

type SavedRoute = Reply<"bus-routes.create">;

/**
 * `stored` is null for a new route, and until the route has been read. The draft is `first` until
 * the user changes it.
 */
export function useRouteEditor(
  stored: Route | null,
  first: RouteDraft,
  onSaved: (saved: SavedRoute) => void,
) {
  const [base, setBase] = useState<Route | null>(null);
  const [changed, setDraft] = useState<RouteDraft | null>(null);
  const draft = changed ?? first;
  const isDirty = !isSameDraft(draft, base ? draftOf(base) : first);
  const { rule, problems } = ruleOf(draft);

  const takeOver = (route: Route) => {
    setBase(route);
    setDraft(draftOf(route));
  };
  const isOld = stored !== null && (base === null || stored.version > base.version);
  // The stored route replaces the draft when it is read, and again when another user has saved a
  // newer version, unless the draft has unsaved changes.
  if (isOld && !isDirty) takeOver(stored);

  const saving = useSingleMutation<SavedRoute, RouteDraft>({
    mutationFn: (sent) => {
      const body = ruleOf(sent).rule;
      if (base === null) return call("bus-routes.create", { body });
      const { id, version } = base;
      return call("bus-routes.update", { params: { routeId: id }, body: { ...body, version } });
    },
    onSuccess: (saved, sent) => {
      setBase(saved);
      // If the user has typed something since the draft was sent, the draft stays.
      setDraft((now) => (now === null || isSameDraft(now, sent) ? draftOf(saved) : now));
      onSaved(saved);
      refreshAll();
    },
    onError: () => refreshAll(),
  });
  const save = { ...saving, mutate: () => saving.mutate(draft) };
  const loadNewer = useSingleMutation<Route>({
    mutationFn: () => call("bus-routes.get", { params: { routeId: base?.id ?? "" } }),
    onSuccess: (route) => {
      takeOver(route);
      save.reset();
    },
  });

  const { error } = save;
  const conflict = conflictIn(error);
  return {
    base,
    draft,
    isDirty,
    rule,
    problems,
    change: (to: Partial<RouteDraft>) => setDraft((before) => ({ ...(before ?? first), ...to })),
    save,
    loadNewer,
    /** The number of the current version, if the draft is based on an older one. */
    newerVersion: isOld && isDirty ? stored.version : (conflict?.version ?? null),
    /** The error from saving the route, unless it is a conflict. */
    refusal: conflict ? null : error,
  };
}
