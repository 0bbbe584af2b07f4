// The current state beside the form, and the button that runs the action.

import { useId, useState } from "react";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { issueOf } from "../../client/api-error.ts";
import { Button } from "../../components/button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import { Field } from "../../fields/field.tsx";
import { texts } from "../../texts/index.ts";
import { ValueView } from "../../values/value-view.tsx";
import { PayloadEditor } from "./payload-editor.tsx";
import type { Action, Prepared, Service } from "./preparation.ts";
import { ConfirmRun, QueueRun } from "./run-dialogs.tsx";
import { useRun } from "./use-run.ts";

const words = texts.actions;

interface ActionFormProps {
  service: Service;
  action: Action;
  /** Absent where the agent could not be asked; without a command where it has nothing to prepare. */
  prepared?: Prepared | undefined;
}

export function ActionForm({ service, action, prepared }: ActionFormProps) {
  const id = useId();
  const [payload, setPayload] = useState<JsonObject>(prepared?.initialPayload ?? {});
  const [reason, setReason] = useState("");
  const run = useRun({ service, action, prepared, reason });
  const { wanted, issues, error } = run;
  const asks = wanted?.asks ?? null;
  const schema = prepared?.inputSchema ?? action.inputSchema;
  return (
    <div className="action-columns">
      <Section title={words.state}>
        {!prepared?.command && <p className="muted">{words.unprepared}</p>}
        {prepared?.command && <ValueView value={prepared.currentState} label={words.state} />}
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
              if (issues.length > 0) run.forgetIssues();
            }}
            onSubmit={(sent) => {
              setPayload(sent);
              run.submit(sent);
            }}
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
          {asks === null && issues.length === 0 && <Failure error={error} />}
          <Button
            type="submit"
            form={id}
            kind={action.dangerLevel === "HIGH" ? "danger" : "primary"}
            busy={run.isPending && asks === null}
          >
            {words.runThis(action.label)}
          </Button>
        </div>
      </Section>
      {wanted && asks === "confirm" && (
        <ConfirmRun
          action={action}
          service={service}
          isHigh={wanted.isHigh}
          payload={wanted.payload}
          schema={schema}
          busy={run.isPending}
          error={error}
          onConfirm={run.agree}
          onClose={run.close}
        />
      )}
      {wanted && asks === "queue" && (
        <QueueRun
          agent={service.agentCode}
          isDisabled={wanted.isDisabled}
          busy={run.isPending}
          error={error}
          onConfirm={run.agree}
          onClose={run.close}
        />
      )}
    </div>
  );
}
