// What is asked before an action runs: whether it is meant, and whether it may wait for its agent.

import type { JsonObject } from "../../../domain/payload/json.ts";
import { Confirm } from "../../components/confirm.tsx";
import { texts } from "../../texts/index.ts";
import { JsonView } from "../../values/json-view.tsx";
import { shownPayload } from "./form/shown-payload.ts";
import type { Action, Service } from "./preparation.ts";

const words = texts.actions.confirm;

interface ConfirmRunProps {
  action: Action;
  service: Service;
  isHigh: boolean;
  payload: JsonObject;
  schema: JsonObject;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** For HIGH danger the service's code must be written first. */
export function ConfirmRun(props: ConfirmRunProps) {
  const { action, service, isHigh, payload, schema, busy, error, onConfirm, onClose } = props;
  const word = { label: words.word(service.code), expected: service.code };
  return (
    <Confirm
      title={words.title(action.label)}
      verb={words.verb}
      danger={isHigh}
      {...(isHigh ? { word } : {})}
      busy={busy}
      error={error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{words.what(action.label, service.code, service.agentCode)}</p>
      {isHigh && <p>{words.high}</p>}
      {Object.keys(payload).length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <JsonView value={shownPayload(payload, schema)} label={words.payload} />
      )}
    </Confirm>
  );
}

interface QueueRunProps {
  agent: string;
  isDisabled: boolean;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function QueueRun({ agent, isDisabled, busy, error, onConfirm, onClose }: QueueRunProps) {
  const { title, what, disabled, verb } = texts.actions.queue;
  return (
    <Confirm
      title={title}
      verb={verb}
      busy={busy}
      error={error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{isDisabled ? disabled(agent) : what(agent)}</p>
    </Confirm>
  );
}
