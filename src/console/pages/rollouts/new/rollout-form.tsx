// The form for a rollout, with the preview of what it would do.

import { Suspense, useId, useState } from "react";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { call, type Reply } from "../../../client/call.ts";
import { useDoing } from "../../../client/doing.ts";
import { Button } from "../../../components/button.tsx";
import { Alert, Failure } from "../../../components/failure.tsx";
import { Section } from "../../../components/page.tsx";
import { fieldsOf, useDraft } from "../../../fields/draft.ts";
import { TextField } from "../../../fields/inputs.tsx";
import { useSettled } from "../../../fields/written.ts";
import { texts } from "../../../texts/index.ts";
import { PayloadEditor } from "../../actions/payload-editor.tsx";
import { ChoiceFields } from "./choice-fields.tsx";
import { useAction, useActions, useSample } from "./chosen-services.ts";
import { hasNumbers, type RolloutDraft, type RolloutRequest, requestOf } from "./rollout-draft.ts";
import { RolloutPreview } from "./rollout-preview.tsx";
import { RuleFields } from "./rule-fields.tsx";

const words = texts.rollouts.form;

interface RolloutFormProps {
  first: RolloutDraft;
  /** The codes of the services that a list has found, in place of another choice. */
  found: readonly string[] | null;
}

interface Written {
  /** The name of the action, if the chosen services declare it. */
  of: string | undefined;
  payload: JsonObject;
}

export function RolloutForm({ first, found }: RolloutFormProps) {
  const form = useId();
  const [draft, setDraft] = useDraft(first);
  const [written, setWritten] = useState<Written>({ of: undefined, payload: {} });
  const [asked, setAsked] = useState<RolloutRequest | null>(null);
  const preview = useDoing<Reply<"rollouts.preview">, RolloutRequest>({
    mutationFn: (body) => call("rollouts.preview", { body }),
  });
  const change = (to: Partial<RolloutDraft>) => {
    setDraft(to);
    setAsked(null);
  };
  const sample = useSample(draft, found);
  const actions = useActions(sample);
  const settledName = useSettled(draft.action.trim());
  const action = useAction(sample, settledName).data;
  // Another action has other fields.
  const payload = written.of === action?.name ? written.payload : {};
  const write = (next: JsonObject) => setWritten({ of: action?.name, payload: next });
  const field = fieldsOf(draft, change, preview.error);
  const [isFixing, setFixing] = useState(false);
  const submit = (sent: JsonObject) => {
    write(sent);
    setFixing(!hasNumbers(draft));
    if (!hasNumbers(draft)) return;
    const request = requestOf(draft, sent, found);
    setAsked(request);
    preview.mutate(request);
  };
  return (
    <>
      <div className="rollout-form">
        <div>
          <Section title={words.choice} card>
            <ChoiceFields found={found} field={field} />
          </Section>
          <Section title={words.work} card>
            <TextField
              {...field("action")}
              label={words.action}
              hint={words.actionHint}
              required
              suggestions={actions.map(({ name, label }) => (
                <option key={name} value={name} label={label} />
              ))}
            />
            <Payload
              key={action?.name}
              form={form}
              isKnown={settledName !== "" && action !== undefined}
              schema={action?.inputSchema ?? {}}
              payload={payload}
              onChange={(next) => {
                write(next);
                setAsked(null);
              }}
              onSubmit={submit}
            />
            <TextField
              label={texts.actions.reason}
              hint={texts.actions.reasonHint}
              {...field("reason")}
            />
            <TextField label={words.name} hint={words.nameHint} {...field("name")} />
          </Section>
        </div>
        <Section title={words.rules} card>
          <RuleFields draft={draft} field={field} error={preview.error} isFixing={isFixing} />
        </Section>
      </div>
      {isFixing ? <Alert text={words.fix} /> : <Failure error={preview.error} />}
      <Button type="submit" form={form} kind="primary" busy={preview.isPending}>
        {words.preview}
      </Button>
      {asked && preview.data && !preview.isPending && (
        <RolloutPreview request={asked} preview={preview.data} schema={action?.inputSchema ?? {}} />
      )}
    </>
  );
}

interface PayloadProps {
  form: string;
  /** The action has been looked for. */
  isKnown: boolean;
  schema: JsonObject;
  payload: JsonObject;
  onChange: (payload: JsonObject) => void;
  onSubmit: (payload: JsonObject) => void;
}

/** The payload does not fit each service: the preview says which services it leaves out. */
function Payload({ form, isKnown, ...editor }: PayloadProps) {
  if (isKnown) {
    return (
      <Suspense fallback={<p className="muted">{texts.schemaForm.loading}</p>}>
        <PayloadEditor {...editor} id={form} issues={[]} />
      </Suspense>
    );
  }
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        editor.onSubmit({});
      }}
    >
      <p className="muted">{words.chooseFirst}</p>
    </form>
  );
}
