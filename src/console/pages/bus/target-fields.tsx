// What a route runs: a service, and one of its actions. Neither has to be there yet.

import { issueOf } from "../../client/api-error.ts";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { type ControlProps, Field } from "../../components/field.tsx";
import { texts } from "../../texts/index.ts";
import { CodeField, useServices } from "./code-field.tsx";
import type { DraftPart } from "./route-draft.ts";

const words = texts.busRoutes;

type Action = Reply<"services.get">["actions"][number];

export function TargetFields({ draft, onChange, error }: DraftPart) {
  const actions = useActions(draft.serviceCode.trim());
  const chosen = actions?.find(({ name }) => name === draft.action);
  const hint = actions
    ? chosen?.requiresConfirmation && words.needsConfirmation
    : unknownHint(draft);
  return (
    <>
      <CodeField
        label={words.service}
        hint={words.serviceHint}
        value={draft.serviceCode}
        error={issueOf(error, "target.serviceCode")}
        required
        onChange={(serviceCode) => onChange({ serviceCode })}
      />
      <Field label={words.action} hint={hint} error={issueOf(error, "target.action")} required>
        {(control) =>
          actions ? (
            <ActionChoice
              control={control}
              actions={actions}
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
  value,
  onChange,
}: {
  control: ControlProps;
  actions: readonly Action[];
  value: string;
  onChange: (action: string) => void;
}) {
  const isThere = value === "" || actions.some(({ name }) => name === value);
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{words.chooseAction}</option>
      {!isThere && <option value={value}>{words.actionGone(value)}</option>}
      {actions.map(({ name, label }) => (
        <option key={name} value={name}>
          {words.actionOf(name, label)}
        </option>
      ))}
    </select>
  );
}

/** Null while the service is not known. */
function useActions(code: string): readonly Action[] | null {
  const service = useServices(code).find((each) => each.code === code);
  const query = useCall(
    "services.get",
    { params: { serviceId: service?.id ?? "" } },
    { enabled: service !== undefined },
  );
  return service && query.data ? query.data.actions : null;
}

function unknownHint({ serviceCode }: { serviceCode: string }): string | undefined {
  return serviceCode.trim() === "" ? undefined : words.unknownService;
}
