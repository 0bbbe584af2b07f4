// Runs an action on the services of an incident. Shows the services, the action's form, the rules
// in one line, and a preview that changes with them. A dangerous action asks for one confirmation.

import { useId, useMemo, useRef, useState } from "react";
import { isGroup } from "../../../../domain/form/form.ts";
import { readForm } from "../../../../domain/form/read-form.ts";
import type { JsonObject } from "../../../../domain/payload/json.ts";
import { call, type Reply } from "../../../client/call.ts";
import { useAct, useCall } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Button } from "../../../components/buttons/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { Alert, Failure } from "../../../components/failure.tsx";
import { useLeavePage } from "../../../components/use-leave-page.ts";
import { fieldsOf, useDraft } from "../../../fields/draft.ts";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { Loaded } from "../../../lists/loaded.tsx";
import { addressOf } from "../../../nouns/addresses.ts";
import { texts } from "../../../texts/index.ts";
import { PayloadPart } from "../../actions/payload-part.tsx";
import {
  emptyDraft,
  hasNumbers,
  type RolloutRequest,
  requestOf,
} from "../../rollouts/new/rollout-draft.ts";
import { ConfirmStart, type Started } from "../../rollouts/new/rollout-preview.tsx";
import { RuleFields } from "../../rollouts/new/rule-fields.tsx";
import { FixPreview, useLivePreview } from "./fix-preview.tsx";
import { ServiceChips } from "./service-chips.tsx";
import "./fix.css";

type Preview = Reply<"rollouts.preview">;

export interface Fix {
  action: Reply<"attention.actions">["actions"][number];
  /** The codes of the services. */
  services: readonly string[];
}

const words = texts.fix;

interface FixSheetProps {
  fix: Fix;
  onClose: () => void;
}

export function FixSheet({ fix: { action, services }, onClose }: FixSheetProps) {
  const form = useId();
  const whole = useRef<HTMLDivElement>(null);
  const [codes, setCodes] = useState(services);
  const [payload, setPayload] = useState<JsonObject>({});
  const [isChanging, setChanging] = useState(false);
  const [draft, change] = useDraft({ ...emptyDraft, action: action.name, healthGate: true });
  const declaring = useCall("services.get", { params: { serviceId: action.serviceId } });
  const declared = declaring.data?.actions.find(({ name }) => name === action.name);
  const isRight = hasNumbers(draft) && codes.length > 0;
  const request = isRight ? requestOf(draft, payload, codes) : null;
  const live = useLivePreview(declared ? request : null);
  const { start, confirm } = useStart(onClose);
  const total = live.preview?.total ?? codes.length;
  const isDanger = live.preview?.requiresConfirmation ?? false;
  /** Rules with an incomplete number stay in view. */
  const showRules = (shows: boolean) => {
    const unfinished = findUnfinished(whole.current);
    if (!shows && unfinished) unfinished.focus();
    else setChanging(shows || !hasNumbers(draft));
  };
  const title = words.title({ action: action.label, total: codes.length });
  return (
    <Dialog
      title={title}
      wide
      isHeld={start.isPending}
      onClose={onClose}
      actions={
        <>
          <Button disabled={start.isPending} onClick={onClose}>
            {texts.words.cancel}
          </Button>
          <Button
            type="submit"
            form={form}
            kind={isDanger ? "danger" : "primary"}
            busy={start.isPending}
            disabled={!isRight || !declared}
          >
            {words.run({ action: action.label, total: total || codes.length })}
          </Button>
        </>
      }
    >
      <div ref={whole} className="stack fix">
        <ServiceChips codes={codes} onChange={setCodes} />
        <Loaded query={declaring}>
          {() => (
            <Input
              form={form}
              schema={declared?.inputSchema ?? {}}
              payload={payload}
              onChange={setPayload}
              onSubmit={(sent) => {
                setPayload(sent);
                const unfinished = findUnfinished(whole.current);
                unfinished?.focus();
                if (isRight && !unfinished) start.mutate(requestOf(draft, sent, codes));
              }}
            />
          )}
        </Loaded>
        <FixPreview live={live} draft={draft} isChanging={isChanging} onChange={showRules} />
        {isChanging && (
          <div className="card">
            <RuleFields
              draft={draft}
              field={fieldsOf(draft, change, live.error)}
              error={live.error}
              isFixing
            />
          </div>
        )}
        {codes.length === 0 && <Alert text={words.noServices} />}
        {!confirm && <Failure error={start.error} />}
      </div>
      {confirm && <ConfirmStart {...confirm} action={action.label} />}
    </Dialog>
  );
}

interface InputProps {
  /** The id of the form element. */
  form: string;
  schema: JsonObject;
  payload: JsonObject;
  onChange: (payload: JsonObject) => void;
  onSubmit: (payload: JsonObject) => void;
}

/** Shows an empty form if the action has no fields. Most actions that fix something have none. */
function Input({ form, schema, ...editor }: InputProps) {
  const { root } = useMemo(() => readForm(schema, {}), [schema]);
  if (!isGroup(root) || root.parts.length + root.options.length > 0) {
    return <PayloadPart {...editor} form={form} isKnown schema={schema} />;
  }
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        editor.onSubmit({});
      }}
    />
  );
}

interface Asked {
  request: RolloutRequest;
  preview: Preview;
}

/**
 * Reads the preview of exactly this request, then starts the rollout. Asks first if the action
 * requires confirmation or a policy requires approval.
 */
function useStart(onDone: () => void) {
  const leave = useLeavePage();
  const [asked, setAsked] = useState<Asked | null>(null);
  const create = useAct("rollouts.create", ({ id }) => {
    leave(`${addressOf("rollouts", id)}?fix`);
    onDone();
  });
  const send = (request: RolloutRequest, started: Started | { seed: string }) =>
    create.mutate({ body: { ...request, ...started } });
  const look = useSingleMutation<Preview, RolloutRequest>({
    mutationFn: (body) => call("rollouts.preview", { body }),
    onSuccess(preview, request) {
      if (preview.total === 0) return;
      const asks = preview.requiresConfirmation || preview.policies.length > 0;
      if (asks) setAsked({ request, preview });
      else send(request, { seed: preview.seed });
    },
  });
  return {
    start: {
      mutate: (request: RolloutRequest) => {
        create.reset();
        look.mutate(request);
      },
      isPending: look.isPending || (create.isPending && asked === null),
      error: look.error ?? create.error,
    },
    confirm: asked && {
      preview: asked.preview,
      starting: create,
      onStart: (started: Started) => send(asked.request, started),
      onClose: () => {
        setAsked(null);
        create.reset();
      },
    },
  };
}
