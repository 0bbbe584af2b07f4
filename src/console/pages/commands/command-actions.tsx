// Cancels an open command, and retries a failed or cancelled one.

import { useEffect, useState } from "react";
import { hasEnded, mayBeRetried } from "../../../domain/commands/commands.ts";
import { useNeeded } from "../../approvals/approval.ts";
import { ApprovalNeeded, useBypassState, verbWith } from "../../approvals/break-glass.tsx";
import { ApiError } from "../../client/api-error.ts";
import { type Command, readCommand, useCommandState } from "../../client/command.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMay, useMe } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { useNotice } from "../../components/notices.tsx";
import { useLeavePage } from "../../components/use-leave-page.ts";
import {
  isMissingSecret,
  SecretFields,
  type Secrets,
  secretValues,
} from "../../fields/secret-fields.tsx";
import { duration } from "../../format/time.ts";
import { Loading } from "../../lists/loaded.tsx";
import { actionPath, madePath } from "../../nouns/addresses.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { texts } from "../../texts/index.ts";
import { DangerBadge } from "../../values/status-badge.tsx";
import { PayloadToSend } from "../actions/payload-to-send.tsx";
import { ErrorFacts } from "./command-result.tsx";

const words = texts.commands;

export function CommandActions({ command }: { command: Command }) {
  const { id, serviceId, action } = command;
  if (!useMay("operator")) return null;
  return (
    <>
      <NounActs noun="commands" row={command} onDone={() => void readCommand(id)} />
      {hasEnded(command.status) && (
        <ButtonLink to={actionPath(serviceId, action)}>{words.detail.openAction}</ButtonLink>
      )}
      {mayBeRetried(command) && (
        <DialogButton kind="primary" text={words.retry.verb}>
          {(close) => <RetryCommand command={command} onClose={close} />}
        </DialogButton>
      )}
    </>
  );
}

/** The retry dialog for a command in a list. Reads the command first, and stays on the page. */
export function RetryListed({ id, onClose }: { id: string; onClose: () => void }) {
  const notify = useNotice();
  const { command, error } = useCommandState(id);
  useEffect(() => void readCommand(id), [id]);
  if (command) {
    const tell = () => {
      notify(texts.selection.done({ verb: words.retry.verb, many: 1 }));
      onClose();
    };
    return <RetryCommand command={command} onMade={tell} onClose={onClose} />;
  }
  return (
    <Dialog title={words.retry.verb} onClose={onClose}>
      {error ? <Failure error={error} onRetry={() => void readCommand(id)} /> : <Loading />}
    </Dialog>
  );
}

interface RetryProps {
  command: Command;
  /**
   * Called after a command was created; by default, its page is opened. If the retry needs
   * approval, the page of the request is opened instead.
   */
  onMade?: () => void;
  onClose: () => void;
}

/**
 * The user must type the service's code if the danger level is HIGH, or if it is unknown because
 * the service no longer offers the action.
 */
function RetryCommand({ command, onMade, onClose }: RetryProps) {
  const leave = useLeavePage();
  const [secrets, setSecrets] = useState<Secrets>({});
  const { id, serviceId, serviceCode, cancelledWhileRunning, withheld } = command;
  const { errorCode, errorMessage, payload } = command;
  const service = useCall("services.get", { params: { serviceId } });
  const action = service.data?.actions.find(({ name }) => name === command.action);
  const glass = useBypassState();
  const policies = useNeeded(serviceId, command.action);
  const act = useAct("commands.retry", (made) =>
    made.command && onMade ? onMade() : leave(madePath(made)),
  );
  const code = act.error instanceof ApiError ? act.error.code : null;
  const expiresIn = duration(useMe().installation.commandTtlSeconds * 1000);
  const mayQueue = code === "AGENT_OFFLINE" || code === "AGENT_DISABLED";
  const { what, maybeDone, title, verb } = words.retry;
  const { queue, confirm } = texts.actions;
  const label = action?.label ?? command.action;
  const isHigh = service.data !== undefined && (!action || action.dangerLevel === "HIGH");
  const word = { label: confirm.word({ service: serviceCode }), expected: serviceCode };
  return (
    <Confirm
      title={mayQueue ? queue.title : title({ action: label })}
      verb={mayQueue ? queue.verb : verbWith(policies, glass, verb)}
      danger={isHigh || glass.isBroken}
      {...(isHigh ? { word } : {})}
      isHeld={service.data === undefined || isMissingSecret(withheld, secrets) || glass.isHeld}
      busy={act.isPending}
      error={service.data ? (mayQueue ? null : act.error) : service.error}
      onConfirm={(confirmation) =>
        act.mutate({
          params: { commandId: id },
          query: { queue: mayQueue },
          body: {
            confirmation,
            secrets: secretValues(secrets, action?.inputSchema),
            ...glass.body,
          },
        })
      }
      onClose={onClose}
    >
      {mayQueue ? (
        <p>
          {(code === "AGENT_DISABLED" ? queue.disabled : queue.what)({
            agent: command.agentCode,
            expiresIn,
          })}
        </p>
      ) : (
        <>
          <p>
            {what({
              action: label,
              service: serviceCode,
              agent: service.data?.agentCode ?? command.agentCode,
            })}
          </p>
          {action && (
            <p>
              <DangerBadge level={action.dangerLevel} />
            </p>
          )}
          {errorCode !== null && <ErrorFacts code={errorCode} message={errorMessage} />}
          <PayloadToSend payload={payload} />
          {(cancelledWhileRunning || errorCode === "COMMAND_TIMED_OUT") && <p>{maybeDone}</p>}
          <SecretFields places={withheld} secrets={secrets} onChange={setSecrets} />
          <ApprovalNeeded policies={policies} glass={glass} />
        </>
      )}
    </Confirm>
  );
}
