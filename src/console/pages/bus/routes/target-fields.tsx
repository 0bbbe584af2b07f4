// What a route runs: a service, and one of its actions. Neither has to be there yet.

import { issueOf } from "../../../client/api-error.ts";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { type ControlProps, Field } from "../../../fields/field.tsx";
import { texts } from "../../../texts/index.ts";
import { CodeField, useServices } from "./code-field.tsx";
import type { DraftPart } from "./route-draft.ts";

const words = texts.busRoutes;

type Action = Reply<"services.get">["actions"][number];

export function TargetFields({ draft, onChange, error }: DraftPart) {
  const { isLooking, actions } = useActions(draft.serviceCode.trim());
  const chosen = actions?.find(({ name }) => name === draft.action);
  const hint = actions
    ? chosen?.requiresConfirmation && words.needsConfirmation
    : words.unknownService;
  return (
    <>
      <CodeField
        label={texts.words.service}
        hint={words.serviceHint}
        value={draft.serviceCode}
        error={issueOf(error, "target.serviceCode")}
        required
        onChange={(serviceCode) => onChange({ serviceCode })}
      />
      <Field
        label={texts.words.action}
        hint={hint}
        error={issueOf(error, "target.action")}
        required
      >
        {(control) =>
          actions ? (
            <ActionChoice
              control={control}
              actions={actions}
              isLooking={isLooking}
              value={draft.action}
              onChange={(action) => onChange({ action })}
            />
          ) : (
            <input
              {...control}
              autoComplete="off"
              value={draft.action}
              onChange={(event) => onChange({ action: event.target.value })}
            />
          )
        }
      </Field>
    </>
  );
}

function ActionChoice({
  control,
  actions,
  isLooking,
  value,
  onChange,
}: {
  control: ControlProps;
  actions: readonly Action[];
  isLooking: boolean;
  value: string;
  onChange: (action: string) => void;
}) {
  const isThere = value === "" || actions.some(({ name }) => name === value);
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{words.chooseAction}</option>
      {!isThere && <option value={value}>{isLooking ? value : words.actionGone(value)}</option>}
      {actions.map(({ name, label }) => (
        <option key={name} value={name}>
          {words.actionOf(name, label)}
        </option>
      ))}
    </select>
  );
}

/**
 * Null when no service of this code is known; none while it is looked for, so that the field does not
 * change under somebody's hands.
 */
function useActions(code: string): { isLooking: boolean; actions: readonly Action[] | null } {
  const { services, isSettled } = useServices(code);
  const service = services.find((each) => each.code === code);
  const query = useCall(
    "services.get",
    { params: { serviceId: service?.id ?? "" } },
    { enabled: service !== undefined },
  );
  if (service && query.data) return { isLooking: false, actions: query.data.actions };
  const isUnknown = code !== "" && (service ? query.error !== null : isSettled);
  return { isLooking: !isUnknown, actions: isUnknown ? null : [] };
}
