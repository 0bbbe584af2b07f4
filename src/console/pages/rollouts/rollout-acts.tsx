// The buttons on the page of a rollout: pause, resume, cancel and retry.

import { useState } from "react";
import { useNavigate } from "react-router";
import { useNeeded } from "../../approvals/approval.ts";
import { ApprovalNeeded, useGlass, verbWith } from "../../approvals/break-glass.tsx";
import { useAct, useCall, usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { RadioField } from "../../fields/radio-field.tsx";
import {
  isMissingSecret,
  SecretFields,
  type Secrets,
  secretValues,
} from "../../fields/secret-fields.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { texts } from "../../texts/index.ts";
import { mayBeRetried, openCount, type Rollout } from "./rollout.ts";

const words = texts.rollouts.retry;

export function RolloutActs({ rollout }: { rollout: Rollout }) {
  const mayAct = useMay("operator");
  const [commands, setCommands] = useState(false);
  const open = openCount(rollout);
  const cancelCommands = (
    <label className="row">
      <input
        type="checkbox"
        checked={commands}
        onChange={({ target }) => setCommands(target.checked)}
      />
      {texts.rollouts.cancelCommands(open)}
    </label>
  );
  return (
    <>
      <NounActs
        noun="rollouts"
        row={rollout}
        more={open > 0 ? { cancel: cancelCommands } : {}}
        queries={{ cancel: { commands } }}
      />
      {mayAct && mayBeRetried(rollout) && rollout.ifUnchanged && (
        <p className="muted small">
          {words.prepares} <code>platformctl rollouts retry {rollout.id}</code>
        </p>
      )}
      {mayAct && mayBeRetried(rollout) && !rollout.ifUnchanged && (
        <DialogButton kind="primary" text={words.verb}>
          {(close) => <RetryRollout rollout={rollout} onClose={close} />}
        </DialogButton>
      )}
    </>
  );
}

function RetryRollout({ rollout, onClose }: { rollout: Rollout; onClose: () => void }) {
  const { id, action, targets, withheld } = rollout;
  const navigate = useNavigate();
  const [which, setWhich] = useState<"failed" | "rest">(targets.FAILED > 0 ? "failed" : "rest");
  const [secrets, setSecrets] = useState<Secrets>({});
  const first = useFirst(rollout);
  const schema = first?.inputSchema;
  const glass = useGlass();
  const policies = useNeeded(first?.serviceId, action);
  const retry = useAct("rollouts.retry", (made) => navigate(addressOf("rollouts", made.id)));
  const isChoice = targets.FAILED > 0 && targets.NOT_RUN > 0;
  const many = targets.FAILED + (which === "rest" ? targets.NOT_RUN : 0);
  return (
    <Confirm
      title={words.title(action, many)}
      verb={verbWith(policies, glass, words.start)}
      danger={glass.isBroken}
      isHeld={isMissingSecret(withheld, secrets) || glass.isHeld}
      busy={retry.isPending}
      error={retry.error}
      onConfirm={() =>
        retry.mutate({
          params: { rolloutId: id },
          body: {
            confirmation: true,
            rest: which === "rest",
            secrets: secretValues(secrets, schema),
            ...glass.body,
          },
        })
      }
      onClose={onClose}
    >
      <p>{words.what}</p>
      {isChoice && (
        <RadioField
          legend={words.which}
          value={which}
          onChange={setWhich}
          options={[
            ["failed", words.failed(targets.FAILED)],
            ["rest", words.rest(targets.NOT_RUN)],
          ]}
        />
      )}
      <SecretFields places={withheld} secrets={secrets} onChange={setSecrets} />
      <ApprovalNeeded policies={policies} glass={glass} />
    </Confirm>
  );
}

/**
 * The first target. The input of its action has the types of the secrets, and its policies are
 * probably those of the others.
 */
function useFirst({ id, action }: Rollout) {
  const input = { params: { rolloutId: id }, query: { pageSize: 1 } };
  const serviceId = usePage("rollouts.targets", input).data?.data[0]?.serviceId;
  const service = useCall(
    "services.get",
    { params: { serviceId: serviceId ?? "" } },
    { enabled: serviceId !== undefined },
  );
  const declared = service.data?.actions.find(({ name }) => name === action);
  return declared && { serviceId, inputSchema: declared.inputSchema };
}
