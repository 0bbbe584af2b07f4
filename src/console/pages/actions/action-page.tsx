// Running one action of one service: prepared by its agent at once, filled in, and sent.

import { Suspense, useState, useSyncExternalStore } from "react";
import { useParams } from "react-router";
import { useCall } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/danger-badge.tsx";
import { ActionForm } from "./action-form.tsx";
import { Preparation } from "./preparation.ts";
import { PrepareFailed } from "./prepare-failed.tsx";
import { Preparing } from "./preparing.tsx";
import "./action-page.css";

const words = texts.actions;

/** What the server waits for an agent without a word from the catalogue, and at most. */
const prepareSeconds = { default: 30, max: 60 };

export function Component() {
  const { serviceId = "", actionName = "" } = useParams();
  const [attempt, setAttempt] = useState(0);
  return (
    <Opening
      key={`${serviceId} ${actionName} ${attempt}`}
      serviceId={serviceId}
      actionName={actionName}
      onAgain={() => setAttempt(attempt + 1)}
    />
  );
}

interface OpeningProps {
  serviceId: string;
  actionName: string;
  onAgain: () => void;
}

function Opening({ serviceId, actionName, onAgain }: OpeningProps) {
  const [preparation] = useState(() => new Preparation(serviceId, actionName));
  const state = useSyncExternalStore(preparation.watch, preparation.state);
  const [isWithout, setWithout] = useState(false);
  const query = useCall("services.get", { params: { serviceId } });
  const service = query.data;
  const action =
    state.kind === "ready"
      ? state.prepared.action
      : service?.actions.find(({ name }) => name === actionName);
  const seconds = action?.timeoutSeconds ?? prepareSeconds.default;
  return (
    <Page
      title={action?.label ?? actionName}
      badge={action && <DangerBadge level={action.dangerLevel} />}
      lead={action?.description}
      parent={{ to: `/services/${serviceId}?tab=actions`, text: service?.code ?? serviceId }}
      actions={
        state.kind === "ready" &&
        state.prepared.command && <Button onClick={onAgain}>{words.prepareAgain}</Button>
      }
    >
      {service && <p className="muted">{words.on(service.code, service.agentCode)}</p>}
      {state.kind === "running" && (
        <Preparing
          serviceId={serviceId}
          actionName={actionName}
          limitSeconds={Math.min(seconds, prepareSeconds.max)}
        />
      )}
      {state.kind === "failed" && !isWithout && (
        <PrepareFailed
          error={state.error}
          agentId={service?.agentId}
          onAgain={onAgain}
          onWithout={action && (() => setWithout(true))}
        />
      )}
      {state.kind !== "running" && !service && <Failure error={query.error} />}
      {service && action && (state.kind === "ready" || isWithout) && (
        <Suspense fallback={<p className="muted">{texts.schemaForm.loading}</p>}>
          <ActionForm
            service={service}
            action={action}
            prepared={state.kind === "ready" ? state.prepared : undefined}
          />
        </Suspense>
      )}
    </Page>
  );
}
