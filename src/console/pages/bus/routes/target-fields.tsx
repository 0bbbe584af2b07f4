// The fields for a route's target: a service and one of its actions. Neither has to exist yet.

import type { Reply } from "../../../client/call.ts";
import { useCall, usePage } from "../../../client/queries.ts";
import { fieldsOf } from "../../../fields/draft.ts";
import { ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { useSettled } from "../../../fields/written.ts";
import { texts } from "../../../texts/index.ts";
import type { DraftPart } from "./route-draft.ts";

const words = texts.busRoutes;

export function TargetFields({ draft, onChange, error }: DraftPart) {
  const { isLooking, actions } = useActions(draft.serviceCode.trim());
  const { action } = draft;
  const field = fieldsOf(draft, onChange, error);
  const common = { label: texts.words.action, required: true, ...field("action", "target.action") };
  const chosen = actions?.find(({ name }) => name === action);
  const offered = actions?.filter((each) => !each.hidden || each === chosen) ?? [];
  const isMissing = action !== "" && !chosen;
  const missing = [action, isLooking ? action : words.actionGone(action)] as const;
  return (
    <>
      <CodeField
        label={texts.words.service}
        hint={words.serviceHint}
        required
        {...field("serviceCode", "target.serviceCode")}
      />
      {actions ? (
        <ChoiceField
          {...common}
          hint={chosen?.requiresConfirmation && words.needsConfirmation}
          options={[
            ["", words.chooseAction],
            ...(isMissing ? [missing] : []),
            ...offered.map(({ name, label }) => [name, words.actionOf(name, label)] as const),
          ]}
        />
      ) : (
        <TextField {...common} hint={words.unknownService} />
      )}
    </>
  );
}

interface CodeFieldProps {
  label: string;
  hint: string;
  value: string;
  error: string | null;
  required?: boolean;
  onChange: (code: string) => void;
}

/** A field for the code of a service, with suggestions. The service does not have to exist yet. */
export function CodeField(props: CodeFieldProps) {
  const { services } = useServices(props.value);
  const suggestions = services.map(({ id, code, name }) => (
    <option key={id} value={code} label={name} />
  ));
  return <TextField {...props} suggestions={suggestions} />;
}

type Service = Reply<"services.list">[number];

/** `isSettled` is false while the services still belong to an earlier text. */
function useServices(text: string): { services: readonly Service[]; isSettled: boolean } {
  const wanted = text.trim();
  const searched = useSettled(wanted);
  const { data, error, isPlaceholderData } = usePage("services.list", {
    query: { pageSize: 50, q: searched || undefined },
  });
  const isRead = (data !== undefined && !isPlaceholderData) || error !== null;
  return { services: data?.data ?? [], isSettled: searched === wanted && isRead };
}

type Action = Reply<"services.get">["actions"][number];

/**
 * `actions` is null if no service has this code. During the search it is empty, so that the field
 * does not change its kind yet.
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
