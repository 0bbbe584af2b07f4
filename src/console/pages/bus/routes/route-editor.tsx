// The page of a route for those who may change it: form, test and replay of what is written in it.

import { type ReactNode, useId, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { Button } from "../../../components/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { NounActs } from "../../../nouns/noun-acts.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { Badge, StatusBadge } from "../../../values/status-badge.tsx";
import { BusPage } from "../bus-page.tsx";
import type { Route, RouteDraft } from "./route-draft.ts";
import { RouteForm } from "./route-form.tsx";
import { RouteReplay } from "./route-replay.tsx";
import { RouteStateButtons } from "./route-state.tsx";
import { RouteTest } from "./route-test.tsx";
import { type LeaveState, Unsaved } from "./unsaved.tsx";
import { type RouteEditor as Editor, useRouteEditor } from "./use-route-editor.ts";

const words = texts.busRoutes;

/** What a route that was just created takes along to its own address. */
interface CreatedState extends LeaveState {
  warnings: string[];
}

interface RouteEditorProps {
  /** Null for one that is not there yet. */
  stored: Route | null;
  first: RouteDraft;
}

export function RouteEditor({ stored, first }: RouteEditorProps) {
  const form = useId();
  const tell = useNotice();
  const navigate = useNavigate();
  const arrived = useLocation().state as CreatedState | null;
  const [warnings, setWarnings] = useState(arrived?.warnings ?? []);
  const [isFixing, setFixing] = useState(false);
  const editor = useRouteEditor(stored, first, (saved) => {
    tell(words.saved(saved.name));
    setWarnings(saved.warnings);
    if (stored) return;
    const state: CreatedState = { mayLeave: true, warnings: saved.warnings };
    void navigate(`/bus/routes/${saved.id}`, { replace: true, state });
  });
  const { base, draft, isDirty, problems, save } = editor;
  const submit = () => {
    setFixing(problems.size > 0);
    if (problems.size === 0 && !save.isPending) save.mutate();
  };
  const part = {
    draft,
    onChange: editor.change,
    error: editor.refusal,
    problems: isFixing ? problems : new Map(),
  };
  return (
    <BusPage
      title={base?.name ?? words.newTitle}
      badge={<Badges editor={editor} />}
      parent={{ to: "/bus/routes", text: nouns["bus-routes"].title }}
      actions={
        <>
          {base && <RouteLinks route={base} />}
          {base && !isDirty && <RouteStateButtons route={base} />}
          {base && <NounActs noun="bus-routes" row={base} />}
          <Button type="submit" form={form} kind="primary" busy={save.isPending}>
            {words.save}
          </Button>
        </>
      }
    >
      <Unsaved isDirty={isDirty} />
      <Newer editor={editor} />
      <Failure error={editor.refusal} />
      {isFixing && problems.size > 0 && (
        <p className="field-error" role="alert">
          {words.problems.fix}
        </p>
      )}
      <Warnings warnings={warnings} onDismiss={() => setWarnings([])} />
      <div className="bus-editor">
        <RouteForm id={form} {...part} isSaving={save.isPending} onSubmit={submit} />
        <RouteTest draft={draft} />
      </div>
      <RouteReplay rule={editor.rule} saved={isDirty ? null : base} />
    </BusPage>
  );
}

export function RouteLinks({ route }: { route: Route }) {
  return <Link to={`/bus/events?routeId=${route.id}`}>{words.events}</Link>;
}

function Badges({ editor: { base, isDirty } }: { editor: Editor }) {
  return (
    <>
      {base && <StatusBadge status={base.state} />}
      {isDirty && <Badge tone="warn">{words.unsaved}</Badge>}
      {base && <span className="muted small">{words.versionOf(base.version)}</span>}
    </>
  );
}

function Newer({ editor: { newerVersion, loadNewer } }: { editor: Editor }) {
  if (newerVersion === null) return null;
  return (
    <Note>
      <p>
        {words.conflict.open(newerVersion)} {words.conflict.loses}
      </p>
      <Button busy={loadNewer.isPending} onClick={() => loadNewer.mutate()}>
        {words.conflict.load}
      </Button>
      <Failure error={loadNewer.error} />
    </Note>
  );
}

function Warnings({ warnings, onDismiss }: { warnings: string[]; onDismiss: () => void }) {
  if (warnings.length === 0) return null;
  return (
    <Note>
      <p>{words.warnings}</p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <Button onClick={onDismiss}>{words.dismiss}</Button>
    </Note>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className="bus-note" role="alert">
      {children}
    </div>
  );
}
