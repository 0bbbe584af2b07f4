// A route that is being written: what it was made of, what it has become, and saving it.

import { useState } from "react";
import { ApiError } from "../../../client/api-error.ts";
import { call, type Reply } from "../../../client/call.ts";
import { useDoing } from "../../../client/doing.ts";
import { refreshAll } from "../../../client/queries.ts";
import { draftOf, isSameDraft, type Route, type RouteDraft } from "./route-draft.ts";
import { ruleOf } from "./route-rule.ts";

export type SavedRoute = Reply<"bus-routes.create">;

/** `stored` is the route as it is now, null for one that is not there yet; `first` is what to begin with. */
export function useRouteEditor(
  stored: Route | null,
  first: RouteDraft,
  onSaved: (saved: SavedRoute) => void,
) {
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(first);
  const isDirty = !isSameDraft(draft, base ? draftOf(base) : first);
  const { rule, problems } = ruleOf(draft);

  const takeOver = (route: Route) => {
    setBase(route);
    setDraft(draftOf(route));
  };
  const isOld = stored !== null && base !== null && stored.version > base.version;
  // What somebody else has saved comes in by itself where nothing that was written is lost by it.
  if (isOld && !isDirty) takeOver(stored);

  const saving = useDoing<SavedRoute, RouteDraft>({
    mutationFn: (sent) => {
      const { rule } = ruleOf(sent);
      if (base === null) return call("bus-routes.create", { body: rule });
      const body = { ...rule, version: base.version };
      return call("bus-routes.update", { params: { routeId: base.id }, body });
    },
    onSuccess: (saved, sent) => {
      setBase(saved);
      // What was written while it was being saved is not in it yet.
      setDraft((now) => (isSameDraft(now, sent) ? draftOf(saved) : now));
      onSaved(saved);
      refreshAll();
    },
    onError: () => refreshAll(),
  });
  const save = { ...saving, mutate: () => saving.mutate(draft) };
  const loadNewer = useDoing<Route>({
    mutationFn: () => call("bus-routes.get", { params: { routeId: base?.id ?? "" } }),
    onSuccess: (route) => {
      takeOver(route);
      save.reset();
    },
  });

  const conflict =
    save.error instanceof ApiError && save.error.code === "VERSION_CONFLICT" ? save.error : null;
  return {
    base,
    draft,
    isDirty,
    rule,
    problems,
    change: (to: Partial<RouteDraft>) => setDraft((before) => ({ ...before, ...to })),
    save,
    loadNewer,
    /** The version that is there now, when this is made of an older one. */
    newerVersion:
      isOld && isDirty ? stored.version : conflict ? Number(conflict.details.currentVersion) : null,
    /** What the server has refused, but for the conflict. */
    refusal: conflict ? null : save.error,
  };
}

export type RouteEditor = ReturnType<typeof useRouteEditor>;
