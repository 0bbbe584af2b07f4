// Runs a service's action: the agent prepares it, then the user fills in the form and sends it.

import { useEffect, useState } from "react";
import { useLocation, useParams } from "react-router";
import { useCall } from "../../client/queries.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Help } from "../../components/help.tsx";
import { Page } from "../../components/page.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { type LeavePage, useLeavePage } from "../../components/use-leave-page.ts";
import { LoadingMark } from "../../lists/loaded.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { useOffer } from "../../results/use-offer.ts";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/status-badge.tsx";
import { ActionForm } from "./action-form.tsx";
import { type Preparation, PrepareFailed, Preparing, prepare } from "./preparation.tsx";
import "./action-page.css";

const words = texts.actions;

/** The server's timeouts for preparing an action. `default` is for actions without their own. */
const prepareSeconds = { default: 30, max: 60 };

export function Component() {
  const { serviceId = "", actionName = "" } = useParams();
  const { search } = useLocation();
  return (
    <ActionPage
      key={`${serviceId} ${actionName} ${search}`}
      serviceId={serviceId}
      actionName={actionName}
    />
  );
}

interface ActionPageProps {
  serviceId: string;
  actionName: string;
}

function ActionPage(props: ActionPageProps) {
  const [attempt, setAttempt] = useState(0);
  // A command that was created from an earlier attempt still opens its page.
  const leave = useLeavePage();
  return <Attempt key={attempt} {...props} onAgain={() => setAttempt(attempt + 1)} leave={leave} />;
}

interface AttemptProps extends ActionPageProps {
  onAgain: () => void;
  leave: LeavePage;
}

function Attempt({ serviceId, actionName, onAgain, leave }: AttemptProps) {
  const [preparation, setPreparation] = useState<Preparation>({ kind: "running" });
  useEffect(() => prepare(serviceId, actionName, setPreparation), [serviceId, actionName]);
  const { kind } = preparation;
  const offered = useOffer(serviceId, actionName);
  const prepared = kind === "ready" ? preparation.prepared : undefined;
  const [isWithout, setWithout] = useState(false);
  const { data: service, error } = useCall("services.get", { params: { serviceId } });
  const action = prepared?.action ?? service?.actions.find(({ name }) => name === actionName);
  const seconds = action?.timeoutSeconds ?? prepareSeconds.default;
  return (
    <Page
      title={action?.label ?? actionName}
      badge={
        action && (
          <>
            <DangerBadge level={action.dangerLevel} />
            <Help of="danger" />
          </>
        )
      }
      lead={action?.description}
      parent={{ to: addressOf("services", serviceId), text: service?.code ?? serviceId }}
      actions={prepared?.command && <Button onClick={onAgain}>{words.prepareAgain}</Button>}
    >
      {!service && !error && <LoadingMark />}
      {service && (
        <p className="muted">{words.on({ service: service.code, agent: service.agentCode })}</p>
      )}
      {offered.kind === "ready" && (
        <p className="muted">
          <Sentence
            text={texts.results.filledFrom}
            parts={{ command: <NounLink to="commands" id={offered.commandId} /> }}
          />
        </p>
      )}
      {offered.kind === "gone" && <p role="status">{texts.results.gone}</p>}
      {kind === "running" && (
        <Preparing
          serviceId={serviceId}
          actionName={actionName}
          limitSeconds={Math.min(seconds, prepareSeconds.max)}
        />
      )}
      {kind === "failed" && !isWithout && (
        <PrepareFailed
          error={preparation.error}
          agentId={service?.agentId}
          onAgain={onAgain}
          onWithout={action && (() => setWithout(true))}
        />
      )}
      {kind !== "running" && !service && <Failure error={error} />}
      {service && action && (prepared || isWithout) && offered.kind !== "loading" && (
        <ActionForm
          service={service}
          action={action}
          prepared={prepared}
          offer={offered.kind === "ready" ? offered.offer : undefined}
          leave={leave}
        />
      )}
    </Page>
  );
}
