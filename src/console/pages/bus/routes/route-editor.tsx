// The page of a route, for users who can change the route.

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "react-router";
import { capitalized } from "../../../../lib/capitalized.ts";
import type { Failing } from "../../../client/api-error.ts";
import type { Reply } from "../../../client/call.ts";
import { Button, ButtonLink } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { focusMain } from "../../../components/focus/focus-main.ts";
import { useNotice } from "../../../components/notices.tsx";
import { type LeaveState, Unsaved } from "../../../components/unsaved.tsx";
import { useLeavePage } from "../../../components/use-leave-page.ts";
import { Loaded, Loading } from "../../../lists/loaded.tsx";
import { addressOf } from "../../../nouns/addresses.ts";
import { DeclaredBadge, DeclaredNote } from "../../../nouns/declared.tsx";
import { NounActs } from "../../../nouns/noun-acts.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { BusPage } from "../bus-page.tsx";
import { emptyDraft, type Route } from "./route-draft.ts";
import { RouteForm } from "./route-form.tsx";
import { RouteReplay } from "./route-replay.tsx";
import { RouteStateButtons } from "./route-state.tsx";
import { RouteTest } from "./route-test.tsx";
import { useRouteEditor } from "./use-route-editor.ts";

const words = texts.busRoutes;

interface SavedState extends LeaveState {
  warnings?: string[];
}

interface RouteEditorProps {
  /** Reads the route. Absent for a new one. */
  query?: UseQueryResult<Route, Failing>;
  /** Provides the type and the source of a new route. */
  event?: Reply<"bus-events.get"> | undefined;
  /** Whether the event is still being read. */
  isLoading?: boolean;
}

export function RouteEditor({ query, event, isLoading = false }: RouteEditorProps) {
  const stored = query?.data ?? null;
  const notify = useNotice();
  const leave = useLeavePage();
  const arrived = useLocation().state as SavedState | null;
  const [warnings, setWarnings] = useState(arrived?.warnings ?? []);
  const [isFixing, setFixing] = useState(false);
  const editor = useRouteEditor(stored, emptyDraft(event), (saved) => {
    notify(words.saved({ name: saved.name }));
    setWarnings(saved.warnings);
    if (stored) return;
    const state: SavedState = { mayLeave: true, warnings: saved.warnings };
    leave(addressOf("bus-routes", saved.id), { replace: true, state });
  });
  const { base, draft, isDirty, problems, save, loadNewer, newerVersion, refusal } = editor;
  const submit = () => {
    setFixing(problems.size > 0);
    if (problems.size === 0) save.mutate();
  };
  const dismiss = () => {
    setWarnings([]);
    focusMain();
  };
  const badges = base && (
    <>
      <StatusBadge status={base.state} />
      <span className="muted small">{words.versionOf({ version: base.version })}</span>
      <DeclaredBadge of={base} />
    </>
  );
  const actions = base && (
    <>
      <EventsLink route={base} />
      <NounActs noun="bus-routes" row={base} />
      <RouteStateButtons route={base} isHeld={isDirty} />
    </>
  );
  const content = (
    <>
      <Unsaved isDirty={isDirty} />
      {base && <DeclaredNote of={base} />}
      {newerVersion !== null && (
        <Note>
          <p>
            {words.conflict.open({ version: newerVersion })} {words.conflict.loses}
          </p>
          <Button busy={loadNewer.isPending} onClick={() => loadNewer.mutate()}>
            {words.conflict.load}
          </Button>
          <Failure error={loadNewer.error} />
        </Note>
      )}
      <Failure error={refusal} />
      {warnings.length > 0 && (
        <Note>
          <p>{words.warnings}</p>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
          <Button onClick={dismiss}>{words.dismiss}</Button>
        </Note>
      )}
      <div className="bus-editor">
        <RouteForm
          draft={draft}
          onChange={editor.change}
          error={refusal}
          problems={isFixing ? problems : new Map()}
          isDirty={isDirty}
          isSaving={save.isPending}
          onSubmit={submit}
        />
        <RouteTest draft={draft} />
      </div>
      <RouteReplay rule={editor.rule} saved={isDirty ? null : base} />
    </>
  );
  const { one, title } = nouns["bus-routes"];
  return (
    <BusPage
      title={base?.name ?? (query ? capitalized(one) : words.newTitle)}
      badge={badges}
      parent={{ to: "/bus/routes", text: title }}
      actions={actions}
    >
      {isLoading ? <Loading /> : query ? <Loaded query={query}>{() => content}</Loaded> : content}
    </BusPage>
  );
}

export function EventsLink({ route }: { route: Route }) {
  return <ButtonLink to={`/bus/events?routeId=${route.id}`}>{words.events}</ButtonLink>;
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className="card note" role="alert">
      {children}
    </div>
  );
}
