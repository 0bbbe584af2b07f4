// Fields that choose a service by its code, and one of its actions. Neither has to exist yet.

import { useQuery } from "@tanstack/react-query";
import type { Failing } from "../client/api-error.ts";
import type { Reply } from "../client/call.ts";
import { usePage } from "../client/queries.ts";
import { serviceByCode } from "../client/service-by-code.ts";
import { ChoiceField, TextField } from "../fields/inputs.tsx";
import { useSettledText } from "../fields/use-delayed-text.ts";
import { texts } from "../texts/index.ts";

const words = texts.busRoutes;

type Service = Reply<"services.get">;
type Action = Service["actions"][number];

interface InputProps {
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

interface ActionChoiceProps {
  service: InputProps;
  action: InputProps;
  choice: ActionOf;
  /** Returns a note about the chosen action. */
  hint?: ((action: Action) => string | false) | undefined;
}

export function ActionChoice({ service, action, choice, hint }: ActionChoiceProps) {
  const { isLooking, actions } = choice;
  const name = action.value;
  const common = { label: texts.words.action, required: true, ...action };
  const chosen = actions?.find((each) => each.name === name);
  const offered = actions?.filter((each) => !each.hidden || each === chosen) ?? [];
  const isMissing = name !== "" && !chosen;
  const missing = [name, isLooking ? name : words.actionGone({ name })] as const;
  return (
    <>
      <CodeField label={texts.words.service} hint={words.serviceHint} required {...service} />
      {actions ? (
        <ChoiceField
          {...common}
          hint={chosen && hint?.(chosen)}
          options={[
            ["", words.chooseAction],
            ...(isMissing ? [missing] : []),
            ...offered.map((each) => [each.name, titleOf(each)] as const),
          ]}
        />
      ) : (
        <TextField {...common} hint={words.unknownService} />
      )}
    </>
  );
}

function titleOf({ name, label }: Action): string {
  return label === name ? name : words.actionOf({ label, name });
}

interface CodeFieldProps extends InputProps {
  label: string;
  hint: string;
  required?: boolean;
}

/** A field for a service's code, with suggestions. The service does not have to exist yet. */
export function CodeField(props: CodeFieldProps) {
  const q = useSettledText(props.value.trim()) || undefined;
  const { data } = usePage("services.list", { query: { pageSize: 50, q } });
  const suggestions = data?.data.map(({ id, code, name }) => (
    <option key={id} value={code} label={name} />
  ));
  return <TextField {...props} suggestions={suggestions} />;
}

interface ActionOf {
  isLooking: boolean;
  /** The id of the service with the code. */
  serviceId: string | undefined;
  /** Null if no service has the code. Empty during the search. */
  actions: readonly Action[] | null;
}

/** The actions of the service with this code. */
export function useActionsOf(code: string): ActionOf {
  const settled = useSettledText(code);
  // Without a service, the data is null instead of an error, so that it stays during a new read.
  const { data: service, error } = useQuery<Service | null, Failing>({
    queryKey: ["services.get", "by code", settled],
    queryFn: ({ signal }) => serviceByCode(settled, signal),
    enabled: settled !== "",
  });
  if (settled !== code || code === "" || (service === undefined && error === null)) {
    return { isLooking: true, serviceId: undefined, actions: [] };
  }
  return { isLooking: false, serviceId: service?.id, actions: service?.actions ?? null };
}
