// Retries a rollout. The user chooses the services and enters the secrets. Then the same preview
// and confirmation follow as for a new rollout.

import { useEffect, useEffectEvent, useId, useState } from "react";
import { useParams } from "react-router";
import { call, type Input, type Reply } from "../../../client/call.ts";
import { useAct, useCall, usePage } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Page, Section } from "../../../components/page.tsx";
import { useLeavePage } from "../../../components/use-leave-page.ts";
import { RadioField } from "../../../fields/radio-field.tsx";
import {
  isMissingSecret,
  SecretFields,
  type Secrets,
  secretValues,
} from "../../../fields/secret-fields.tsx";
import { Loaded, Loading } from "../../../lists/loaded.tsx";
import { addressOf } from "../../../nouns/addresses.ts";
import { nouns, titleOf } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { RolloutPreview } from "../new/rollout-preview.tsx";
import type { Rollout } from "../rollout.ts";
import "../rollouts.css";

const words = texts.rollouts.retry;

type RetryBody = NonNullable<Input<"rollouts.preview-retry">["body"]>;

export function Component() {
  const { rolloutId = "" } = useParams();
  const query = useCall("rollouts.get", { params: { rolloutId } });
  const title = query.data && titleOf(nouns.rollouts, query.data);
  return (
    <Page
      title={title === undefined ? words.verb : words.title({ rollout: title })}
      lead={words.what}
      parent={{ to: addressOf("rollouts", rolloutId), text: title ?? rolloutId }}
    >
      <Loaded query={query}>{(rollout) => <RetryForm rollout={rollout} />}</Loaded>
    </Page>
  );
}

function RetryForm({ rollout }: { rollout: Rollout }) {
  const { id, action, targets, withheld } = rollout;
  const params = { rolloutId: id };
  const form = useId();
  const leave = useLeavePage();
  const [which, setWhich] = useState<"failed" | "rest">(targets.FAILED > 0 ? "failed" : "rest");
  const [secrets, setSecrets] = useState<Secrets>({});
  const [asked, setAsked] = useState<RetryBody | null>(null);
  const schema = useSchema(rollout);
  const preview = useSingleMutation<Reply<"rollouts.preview-retry">, RetryBody>({
    mutationFn: (body) => call("rollouts.preview-retry", { params, body }),
  });
  const retry = useAct("rollouts.retry", (made) => leave(addressOf("rollouts", made.id)));
  const isHeld = isMissingSecret(withheld, secrets);
  const ask = () => {
    const body = { rest: which === "rest", secrets: secretValues(secrets, schema) };
    setAsked(body);
    preview.mutate(body);
  };
  const arrive = useEffectEvent(() => {
    if (!isHeld) ask();
  });
  useEffect(() => arrive(), []);
  const isChoice = targets.FAILED > 0 && targets.NOT_RUN > 0;
  return (
    <>
      {(isChoice || withheld.length > 0) && (
        <Section title={words.which} card>
          <form
            id={form}
            onSubmit={(event) => {
              event.preventDefault();
              if (!isHeld) ask();
            }}
          >
            {isChoice && (
              <RadioField
                legend={words.which}
                value={which}
                onChange={(chosen) => {
                  setWhich(chosen);
                  setAsked(null);
                }}
                options={[
                  ["failed", words.failed({ many: targets.FAILED })],
                  ["rest", words.rest({ many: targets.NOT_RUN })],
                ]}
              />
            )}
            <SecretFields
              places={withheld}
              secrets={secrets}
              onChange={(given) => {
                setSecrets(given);
                setAsked(null);
              }}
            />
          </form>
          <Button
            type="submit"
            form={form}
            kind="primary"
            busy={preview.isPending}
            disabled={isHeld}
          >
            {texts.rollouts.form.preview}
          </Button>
        </Section>
      )}
      {preview.isPending && <Loading />}
      <Failure error={preview.error} {...(isHeld ? {} : { onRetry: ask })} />
      {asked && preview.data && !preview.isPending && (
        <RolloutPreview
          action={action}
          preview={preview.data}
          starting={retry}
          onStart={(started) => retry.mutate({ params, body: { ...asked, ...started } })}
        />
      )}
    </>
  );
}

/** Returns the action's schema on the first target, for the types of the secrets. */
function useSchema({ id, action, withheld }: Rollout) {
  const enabled = withheld.length > 0;
  const targets = usePage(
    "rollouts.targets",
    { params: { rolloutId: id }, query: { pageSize: 1 } },
    { enabled },
  );
  const serviceId = targets.data?.data[0]?.serviceId;
  const service = useCall(
    "services.get",
    { params: { serviceId: serviceId ?? "" } },
    { enabled: serviceId !== undefined },
  );
  return service.data?.actions.find(({ name }) => name === action)?.inputSchema;
}
