// The form for a rollout, with a preview.

import { useEffect, useId, useState } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { call, type Reply } from "../../../client/call.ts";
import { useAct } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { useLeavePage } from "../../../components/use-leave-page.ts";
import { isAtFields } from "../../../fields/form-failure.tsx";
import { FormFooter } from "../../../fields/form-footer.tsx";
import { focusFirstError } from "../../../fields/shown-error.ts";
import { addressOf } from "../../../nouns/addresses.ts";
import { texts } from "../../../texts/index.ts";
import { hasNumbers, type RolloutDraft, type RolloutRequest, requestOf } from "./rollout-draft.ts";
import { RolloutFields, useRolloutFields } from "./rollout-fields.tsx";
import { RolloutPreview } from "./rollout-preview.tsx";
import { ofWaves } from "./rule-fields.tsx";

const words = texts.rollouts.form;

const ofChoice = ["selector", "services", "agents"];
const ofRest = [
  ...["action", "reason", "name", ofWaves, "maxParallel"],
  ...["maxFailures", "healthTimeoutSeconds", "deadlineSeconds"],
];

interface RolloutFormProps {
  first: RolloutDraft;
  /** The codes of the services that a list found. If not null, they replace any other choice. */
  found: readonly string[] | null;
}

export function RolloutForm({ first, found }: RolloutFormProps) {
  const form = useId();
  const [asked, setAsked] = useState<RolloutRequest | null>(null);
  const preview = useSingleMutation<Reply<"rollouts.preview">, RolloutRequest>({
    mutationFn: (body) => call("rollouts.preview", { body }),
  });
  const leave = useLeavePage();
  const create = useAct("rollouts.create", ({ id }) => leave(addressOf("rollouts", id)));
  const fields = useRolloutFields({ first, found });
  const { draft } = fields;
  const [isFixing, setFixing] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const isShown = isAtFields(preview.error, found ? ofRest : [...ofChoice, ...ofRest]);
  useEffect(() => {
    if (isShown) focusFirstError();
  }, [isShown]);
  const submit = (sent: JsonObject | null) => {
    setFixing(!hasNumbers(draft));
    if (sent === null || !hasNumbers(draft)) return preview.reset();
    const request = requestOf(draft, sent, found);
    setAsked(request);
    preview.mutate(request);
  };
  const previewed = asked && !preview.isPending ? preview.data : undefined;
  return (
    <>
      <RolloutFields
        form={form}
        fields={fields}
        error={preview.error}
        isFixing={isFixing}
        onChange={(areDefaults) => {
          setAsked(null);
          if (!areDefaults) setFixing(false);
        }}
        onLooking={setLooking}
        onSubmit={submit}
        onRefused={() => submit(null)}
      />
      {!isShown && <Failure error={preview.error} />}
      <FormFooter>
        <Button
          type="submit"
          form={form}
          kind={previewed ? "plain" : "primary"}
          busy={preview.isPending || isLooking}
        >
          {words.preview}
        </Button>
      </FormFooter>
      {asked && previewed && (
        <RolloutPreview
          action={asked.action}
          preview={previewed}
          starting={create}
          onStart={(started) => create.mutate({ body: { ...asked, ...started } })}
        />
      )}
    </>
  );
}
