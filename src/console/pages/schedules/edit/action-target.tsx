// The fields for a schedule that runs an action of one service.

import { useState } from "react";
import { useSearchParams } from "react-router";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { fieldsOf, useDraft } from "../../../fields/draft.ts";
import { TextField } from "../../../fields/inputs.tsx";
import { useSettledText } from "../../../fields/use-delayed-text.ts";
import { ActionChoice, useActionsOf } from "../../../nouns/action-choice.tsx";
import { texts } from "../../../texts/index.ts";
import { PayloadPart } from "../../actions/payload-part.tsx";
import { type ActionTarget, actionTarget, type Target } from "./schedule-draft.ts";

const words = texts.schedules.form;

export interface TargetFieldsProps<T> {
  form: string;
  /** The target of the stored schedule. */
  first: T | null;
  withheld: readonly string[];
  error: unknown;
  isFixing: boolean;
  onChange: () => void;
  /** As in `PayloadPart`. */
  onLooking: (isLooking: boolean) => void;
  /** Called with null if the fields are incomplete. */
  onSubmit: (target: Target | null) => void;
}

export function ActionTargetFields(props: TargetFieldsProps<ActionTarget>) {
  const { form, first, withheld, error, isFixing, onChange, onLooking, onSubmit } = props;
  const [given] = useSearchParams();
  const [draft, setDraft] = useDraft({
    service: first?.service ?? given.get("service") ?? "",
    action: first?.action ?? given.get("action") ?? "",
    reason: first?.reason ?? "",
  });
  const [written, setWritten] = useState<{ of: string; payload: JsonObject }>({
    of: draft.action,
    payload: (first?.payload ?? {}) as JsonObject,
  });
  const change = (to: Partial<typeof draft>) => {
    setDraft(to);
    onChange();
  };
  const fieldOf = fieldsOf(draft, change, error);
  const isMissing = (name: "service" | "action") => draft[name].trim() === "";
  const field = (name: "service" | "action") =>
    isFixing && isMissing(name) ? { ...fieldOf(name), error: texts.words.missing } : fieldOf(name);
  const choice = useActionsOf(draft.service.trim());
  const name = useSettledText(draft.action.trim());
  const action = choice.actions?.find((each) => each.name === name);
  const isLooking = name !== draft.action.trim() || (name !== "" && choice.isLooking);
  const isKnown = name !== "" && !isLooking;
  // The payload of another action does not apply, because its fields differ.
  const payload = written.of === name ? written.payload : {};
  const write = (next: JsonObject) => setWritten({ of: name, payload: next });
  return (
    <>
      <ActionChoice choice={choice} service={field("service")} action={field("action")} />
      <PayloadPart
        key={`${name} ${action !== undefined}`}
        form={form}
        isKnown={isKnown}
        isLooking={isLooking && !isMissing("service")}
        onLooking={onLooking}
        schema={action?.inputSchema ?? {}}
        payload={payload}
        onChange={(next, areDefaults) => {
          write(next);
          if (!areDefaults) onChange();
        }}
        onSubmit={(sent) => {
          if (isKnown) write(sent);
          const isReady = !isMissing("service") && !isMissing("action");
          onSubmit(isReady ? actionTarget(draft, sent) : null);
        }}
        onRefused={() => onSubmit(null)}
      />
      {withheld.length > 0 && <p className="muted small">{words.keptSecrets}</p>}
      <TextField
        label={texts.actions.reason}
        hint={texts.actions.reasonHint}
        maxLength={500}
        {...fieldOf("reason")}
      />
    </>
  );
}
