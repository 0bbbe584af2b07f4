// The page of a route, for users who can change the route.

import { type ReactNode, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { focusMain } from "../../../components/focus/focus-main.ts";
import { useNotice } from "../../../components/notices.tsx";
import { type LeaveState, Unsaved } from "../../../components/unsaved.tsx";
import { addressOf } from "../../../nouns/addresses.ts";
import { DeclaredBadge, DeclaredNote } from "../../../nouns/declared.tsx";
import { NounActs } from "../../../nouns/noun-acts.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { BusPage } from "../bus-page.tsx";
import type { Route, RouteDraft } from "./route-draft.ts";
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
  /** The stored route; null for a new one. */
  stored: Route | null;
  first: RouteDraft;
}

export function RouteEditor({ stored, first }: RouteEditorProps) {
  const tell = useNotice();
  const navigate = useNavigate();
  const arrived = useLocation().state as SavedState | null;
  const [warnings, setWarnings] = useState(arrived?.warnings ?? []);
  const [isFixing, setFixing] = useState(false);
  const editor = useRouteEditor(stored, first, (saved) => {
    tell(words.saved({ name: saved.name }));
    setWarnings(saved.warnings);
    if (stored) return;
    const state: SavedState = { mayLeave: true, warnings: saved.warnings };
    void navigate(addressOf("bus-routes", saved.id), { replace: true, state });
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
  const badges = (
    <>
      {base && <StatusBadge status={base.state} />}
      {base && <span className="muted small">{words.versionOf({ version: base.version })}</span>}
      {base && <DeclaredBadge of={base} />}
    </>
  );
  const actions = (
    <>
      {base && <NounActs noun="bus-routes" row={base} />}
      {base && <EventsLink route={base} />}
      {base && <RouteStateButtons route={base} isHeld={isDirty} />}
    </>
  );
  return (
    <BusPage
      title={base?.name ?? words.newTitle}
      badge={badges}
      parent={{ to: "/bus/routes", text: nouns["bus-routes"].title }}
      actions={actions}
    >
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
    </BusPage>
  );
}

export function EventsLink({ route }: { route: Route }) {
  return <Link to={`/bus/events?routeId=${route.id}`}>{words.events}</Link>;
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className="card note" role="alert">
      {children}
    </div>
  );
}
