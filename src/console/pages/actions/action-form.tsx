// The current state beside the form, and the button that runs the action.

import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, issueOf } from "../../client/api-error.ts";
import type { JsonObject } from "../../client/json.ts";
import { useAct } from "../../client/queries.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Field } from "../../components/field.tsx";
import { Section } from "../../components/page.tsx";
import { ValueView } from "../../components/value-view.tsx";
import { texts } from "../../texts/index.ts";
import { atFields } from "./form/payload-issues.ts";
import { PayloadEditor } from "./payload-editor.tsx";
import type { Action, Prepared, Service } from "./preparation.ts";
import { ConfirmRun, QueueRun } from "./run-dialogs.tsx";

const words = texts.actions;

interface ActionFormProps {
  service: Service;
  action: Action;
  /** Absent where the agent was not asked: the form is the catalogue's then. */
  prepared?: Prepared | undefined;
}

interface Wanted {
  payload: JsonObject;
  confirmation: boolean;
}

export function ActionForm({ service, action, prepared }: ActionFormProps) {
  const id = useId();
  const navigate = useNavigate();
  const [payload, setPayload] = useState<JsonObject>(prepared?.initialPayload ?? {});
  const [reason, setReason] = useState("");
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const act = useAct("actions.execute", ({ command }) => navigate(`/commands/${command.id}`));
  const schema = prepared?.inputSchema ?? action.inputSchema;
  const { error } = act;
  const code = error instanceof ApiError ? error.code : null;
  const [issues, setIssues] = useState<ReturnType<typeof atFields>>([]);

  const run = (next: Wanted, queue = false) => {
    act.mutate(
      {
        params: { serviceId: service.id, actionName: action.name },
        query: { queue },
        body: {
          payload: next.payload,
          confirmation: next.confirmation,
          ...(prepared ? { prepareCommandId: prepared.command.id } : {}),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
        },
      },
      {
        onError: (failure) => {
          const isPayload = failure instanceof ApiError && failure.code === "PAYLOAD_INVALID";
          setIssues(isPayload ? atFields(failure.issues) : []);
          if (isPayload) setWanted(null);
        },
      },
    );
  };
  const submit = (sent: JsonObject) => {
    const asks = action.requiresConfirmation || action.dangerLevel === "HIGH";
    const next = { payload: sent, confirmation: asks };
    setPayload(sent);
    setWanted(next);
    act.reset();
    if (!asks) run(next);
  };
  const close = () => {
    setWanted(null);
    act.reset();
  };

  const asksToQueue = wanted !== null && (code === "AGENT_OFFLINE" || code === "AGENT_DISABLED");
  const asksToConfirm =
    wanted !== null && !asksToQueue && (wanted.confirmation || code === "CONFIRMATION_REQUIRED");
  return (
    <div className="action-columns">
      <Section title={words.state}>
        {!prepared && <p className="muted">{words.unprepared}</p>}
        {prepared && <ValueView value={prepared.currentState} label={words.state} />}
      </Section>
      <Section title={words.input}>
        <div className="card">
          <PayloadEditor
            id={id}
            schema={schema}
            payload={payload}
            issues={issues}
            onChange={(next) => {
              setPayload(next);
              if (issues.length > 0) setIssues([]);
            }}
            onSubmit={submit}
          />
          <Field label={words.reason} hint={words.reasonHint} error={issueOf(error, "reason")}>
            {(control) => (
              <input
                {...control}
                form={id}
                maxLength={500}
                autoComplete="off"
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
          {!asksToConfirm && !asksToQueue && issues.length === 0 && <Failure error={error} />}
          <Button
            type="submit"
            form={id}
            kind={action.dangerLevel === "HIGH" ? "danger" : "primary"}
            busy={act.isPending && !asksToConfirm}
          >
            {words.runThis(action.label)}
          </Button>
        </div>
      </Section>
      {asksToConfirm && (
        <ConfirmRun
          action={action}
          service={service}
          payload={wanted.payload}
          schema={schema}
          busy={act.isPending}
          error={code === "CONFIRMATION_REQUIRED" ? null : error}
          onConfirm={() => run({ ...wanted, confirmation: true })}
          onClose={close}
        />
      )}
      {asksToQueue && (
        <QueueRun
          agent={service.agentCode}
          isDisabled={code === "AGENT_DISABLED"}
          busy={act.isPending}
          onConfirm={() => run(wanted, true)}
          onClose={close}
        />
      )}
    </div>
  );
}
