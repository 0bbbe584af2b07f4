// A button that shows the output of the command on one service of a rollout, above the page.

import { ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { OutputById } from "../commands/output/command-output.tsx";
import { errorText, type Target } from "./rollout.ts";

const words = texts.rollouts.targets;

interface TargetOutputProps {
  target: Target;
  action: string;
}

/** Shows nothing for a service on which no command has been created. */
export function TargetOutput({ target, action }: TargetOutputProps) {
  const { commandId, serviceCode, state } = target;
  if (commandId === null) return null;
  const error = errorText(target);
  return (
    <DialogButton text={words.output} label={`${words.output} ${serviceCode}`}>
      {(close) => (
        <Dialog
          wide
          title={texts.auditTrail.actionOn({ action, service: serviceCode })}
          onClose={close}
          actions={
            <ButtonLink to={addressOf("commands", commandId)}>{words.openCommand}</ButtonLink>
          }
        >
          <p>
            <StatusBadge status={state} /> {error}
          </p>
          <OutputById id={commandId} />
        </Dialog>
      )}
    </DialogButton>
  );
}
