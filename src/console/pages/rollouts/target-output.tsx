// A dialog with the output of the command on one service of a rollout.

import { ButtonLink } from "../../components/buttons/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { OutputById } from "../commands/output/command-output.tsx";
import { errorText, type Target } from "./rollout.ts";

const words = texts.rollouts.targets;

interface TargetOutputProps {
  target: Target;
  action: string;
  onClose: () => void;
}

/** Shows nothing for a service on which no command has been created. */
export function TargetOutput({ target, action, onClose }: TargetOutputProps) {
  const { commandId, serviceCode, state } = target;
  if (commandId === null) return null;
  return (
    <Dialog
      wide
      title={texts.auditTrail.actionOn({ action, service: serviceCode })}
      onClose={onClose}
      actions={<ButtonLink to={addressOf("commands", commandId)}>{words.openCommand}</ButtonLink>}
    >
      <p>
        <StatusBadge status={state} /> {softBreaks(errorText(target))}
      </p>
      <OutputById id={commandId} />
    </Dialog>
  );
}
