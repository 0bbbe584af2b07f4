// What can be done with a command: end it while it is open, run it again when it did not end well.

import { useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "../../client/api-error.ts";
import { type Command, hasEnded, readCommand } from "../../client/command.ts";
import { useAct, useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { NounActs } from "../../nouns/noun-acts.tsx";
import { texts } from "../../texts/index.ts";
import { SecretFields } from "./secret-fields.tsx";
import { type Secrets, secretValues } from "./secret-values.ts";

const words = texts.commands;

export function CommandActions({ command }: { command: Command }) {
  const mayAct = useMay("operator");
  const [isRetrying, setRetrying] = useState(false);
  if (!mayAct) return null;
  const isExecute = command.type === "ACTION_EXECUTE";
  const mayRetry = isExecute && (command.status === "FAILED" || command.status === "CANCELLED");
  return (
    <>
      <NounActs noun="commands" row={command} onDone={() => void readCommand(command.id)} />
      {mayRetry && <Button onClick={() => setRetrying(true)}>{words.retry.button}</Button>}
      {hasEnded(command) && (
        <ButtonLink to={actionPath(command.serviceId, command.action)}>
          {words.detail.openAction}
        </ButtonLink>
      )}
      {isRetrying && <RetryCommand command={command} onClose={() => setRetrying(false)} />}
    </>
  );
}

/**
 * For HIGH danger the service's code must be written, as when it was run first; also for an action that
 * the service does not offer any more, of which nobody knows.
 */
function RetryCommand({ command, onClose }: { command: Command; onClose: () => void }) {
  const navigate = useNavigate();
  const [secrets, setSecrets] = useState<Secrets>({});
  const { id, serviceId, serviceCode, agentCode, cancelledWhileRunning, errorCode } = command;
  const service = useCall("services.get", { params: { serviceId } });
  const action = service.data?.actions.find(({ name }) => name === command.action);
  const act = useAct("commands.retry", ({ command: made }) => navigate(`/commands/${made.id}`));
  const code = act.error instanceof ApiError ? act.error.code : null;
  const mayQueue = code === "AGENT_OFFLINE" || code === "AGENT_DISABLED";
  const { what, maybeDone } = words.retry;
  const { queue, confirm } = texts.actions;
  const isHigh = service.data !== undefined && (!action || action.dangerLevel === "HIGH");
  const word = { label: confirm.word(serviceCode), expected: serviceCode };
  return (
    <Confirm
      title={mayQueue ? queue.title : words.retry.title(action?.label ?? command.action)}
      verb={mayQueue ? queue.verb : words.retry.verb}
      danger={isHigh}
      {...(isHigh ? { word } : {})}
      isHeld={service.data === undefined || command.withheld.some((place) => !secrets[place])}
      busy={act.isPending}
      error={service.data ? (mayQueue ? null : act.error) : service.error}
      onConfirm={() =>
        act.mutate({
          params: { commandId: id },
          query: { queue: mayQueue },
          body: { confirmation: true, secrets: secretValues(secrets, action?.inputSchema) },
        })
      }
      onClose={onClose}
    >
      {mayQueue ? (
        <p>{code === "AGENT_DISABLED" ? queue.disabled(agentCode) : queue.what(agentCode)}</p>
      ) : (
        <>
          <p>
            {what(
              action?.label ?? command.action,
              serviceCode,
              service.data?.agentCode ?? agentCode,
            )}
          </p>
          {(cancelledWhileRunning || errorCode === "COMMAND_TIMED_OUT") && <p>{maybeDone}</p>}
          <SecretFields places={command.withheld} secrets={secrets} onChange={setSecrets} />
        </>
      )}
    </Confirm>
  );
}
