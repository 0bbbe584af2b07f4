// The form of an action next to the service's current state, with the confirmations before a run.

import { useId, useState } from "react";
import { useNavigate } from "react-router";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Offer } from "../../../domain/results/offers.ts";
import { secretMarks, shownPayload } from "../../../domain/secrets/hidden.ts";
import { useNeeded } from "../../approvals/approval.ts";
import { ApprovalNeeded, useBypassState, verbWith } from "../../approvals/break-glass.tsx";
import { Waiting } from "../../approvals/waiting.tsx";
import { issueOf } from "../../client/api-error.ts";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Button } from "../../components/buttons/button.tsx";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { Failure } from "../../components/failure.tsx";
import { Section } from "../../components/page.tsx";
import type { LeavePage } from "../../components/use-leave-page.ts";
import { FormFooter } from "../../fields/form-footer.tsx";
import { CheckField, TextField } from "../../fields/inputs.tsx";
import { duration } from "../../format/time.ts";
import { addressOf } from "../../nouns/addresses.ts";
import { ResultDetail } from "../../results/result-detail.tsx";
import { ResultView } from "../../results/result-view.tsx";
import { texts } from "../../texts/index.ts";
import { dots } from "./form/json-text.ts";
import { PayloadEditor } from "./payload-editor.tsx";
import { PayloadToSend } from "./payload-to-send.tsx";
import type { Action, Prepared, Service } from "./preparation.tsx";
import { useRun } from "./use-run.ts";

const words = texts.actions;

interface ActionFormProps {
  service: Service;
  action: Action;
  /** Undefined if the preparation failed. It has no command if there was nothing to prepare. */
  prepared: Prepared | undefined;
  /** The offer that the form was opened with. */
  offer: Offer | undefined;
  leave: LeavePage;
}

export function ActionForm({ service, action, prepared, offer, leave }: ActionFormProps) {
  const id = useId();
  const [payload, setPayload] = useState<JsonObject>({
    ...prepared?.initialPayload,
    ...offer?.payload,
  });
  const [reason, setReason] = useState("");
  const canPlan = prepared?.canPlan ?? false;
  const [ifUnchanged, setIfUnchanged] = useState(canPlan && action.dangerLevel === "HIGH");
  const navigate = useNavigate();
  const glass = useBypassState();
  const policies = useNeeded(service.id, action.name);
  const needsApproval = policies.length > 0;
  const { data: agent } = useCall("agents.get", { params: { agentId: service.agentId } });
  const queues = !needsApproval && agent !== undefined && agent.status !== "ONLINE";
  const expiresIn = duration(useMe().installation.commandTtlSeconds * 1000);
  const { wanted, issues, error, isPending, approvalId, ...run } = useRun({
    service,
    action,
    prepared,
    reason,
    ifUnchanged,
    needsApproval,
    queues,
    glass,
    leave,
  });
  const isAsking = wanted !== null && wanted.asks !== null;
  const schema = prepared?.inputSchema ?? action.inputSchema;
  const { code, agentCode } = service;
  const { confirm, queue } = words;
  if (approvalId !== null) {
    return (
      <Waiting
        id={approvalId}
        onCommand={(commandId) => void navigate(addressOf("commands", commandId))}
      />
    );
  }
  const asked = { busy: isPending, error, onConfirm: run.agree, onClose: run.close };
  return (
    <div className="action-columns">
      <Section title={words.state} card>
        {offer?.detail && <ResultDetail detail={offer.detail} offers={null} />}
        {!prepared?.command && <p className="muted">{words.unprepared}</p>}
        {prepared?.command && (prepared.currentState !== null || !offer?.detail) && (
          <ResultView
            value={prepared.currentState}
            label={words.state}
            by={{ serviceId: service.id, commandId: prepared.command.id }}
          />
        )}
      </Section>
      <Section title={texts.words.payload} card>
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
        <TextField
          label={words.reason}
          hint={words.reasonHint}
          error={issueOf(error, "reason")}
          form={id}
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        {canPlan && (
          <CheckField
            label={words.ifUnchanged}
            hint={words.ifUnchangedHint}
            value={ifUnchanged}
            onChange={setIfUnchanged}
          />
        )}
        {!isAsking && issues.length === 0 && <Failure error={error} />}
        <FormFooter>
          <Button
            type="submit"
            form={id}
            kind={action.dangerLevel === "HIGH" ? "danger" : "primary"}
            busy={isPending && !isAsking}
          >
            {needsApproval
              ? `${texts.approvals.needed.verb} …`
              : words.runThis({ label: action.label })}
          </Button>
        </FormFooter>
      </Section>
      {wanted?.asks === "confirm" && (
        <Confirm
          {...asked}
          title={confirm.title({ label: action.label })}
          verb={queues ? queue.verb : verbWith(policies, glass, confirm.verb)}
          danger={glass.isBroken || (wanted.isHigh && !needsApproval)}
          isHeld={glass.isHeld}
          {...(wanted.isHigh
            ? { word: { label: confirm.word({ service: code }), expected: code } }
            : {})}
        >
          <p>{confirm.what({ label: action.label, service: code, agent: agentCode })}</p>
          {wanted.isHigh && <p>{confirm.high}</p>}
          {ifUnchanged && <p>{confirm.unchanged}</p>}
          {queues && <p>{queue.what({ agent: agentCode, expiresIn })}</p>}
          <PayloadToSend payload={shownPayload(wanted.payload, secretMarks(schema), dots)} />
          <ApprovalNeeded policies={policies} glass={glass} />
        </Confirm>
      )}
      {wanted?.asks === "queue" && (
        <Confirm {...asked} title={queue.title} verb={queue.verb}>
          <p>
            {(wanted.isDisabled ? queue.disabled : queue.what)({ agent: agentCode, expiresIn })}
          </p>
        </Confirm>
      )}
    </div>
  );
}
