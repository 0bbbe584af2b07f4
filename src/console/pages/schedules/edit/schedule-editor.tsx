// The form for a schedule, with a preview of its next runs.

import { useEffect, useId, useRef, useState } from "react";
import { conflictIn, errorWithin } from "../../../client/api-error.ts";
import { call, type Reply } from "../../../client/call.ts";
import { refreshAll } from "../../../client/queries.ts";
import { useSingleMutation } from "../../../client/use-single-mutation.ts";
import { Advanced } from "../../../components/advanced.tsx";
import { Button, ButtonLink } from "../../../components/buttons/button.tsx";
import { useNotice } from "../../../components/notices.tsx";
import { Section } from "../../../components/page.tsx";
import { Unsaved } from "../../../components/unsaved.tsx";
import { useLeavePage } from "../../../components/use-leave-page.ts";
import { fieldsOf, useDraft } from "../../../fields/draft.ts";
import { FormFailure } from "../../../fields/form-failure.tsx";
import { FormFooter } from "../../../fields/form-footer.tsx";
import { CheckField, LinesField, TextField } from "../../../fields/inputs.tsx";
import { optionsOf } from "../../../fields/options.ts";
import { RadioField } from "../../../fields/radio-field.tsx";
import { focusFirstError } from "../../../fields/shown-error.ts";
import { findUnfinished } from "../../../fields/unfinished.ts";
import { ownTimeZone } from "../../../format/time.ts";
import { addressOf, listAddress } from "../../../nouns/addresses.ts";
import { DeclaredNote } from "../../../nouns/declared.tsx";
import { texts } from "../../../texts/index.ts";
import type { Schedule } from "../schedule.ts";
import { ActionTargetFields } from "./action-target.tsx";
import { DuePreview, useDuePreview } from "./due-preview.tsx";
import { RolloutTargetFields } from "./rollout-target.tsx";
import {
  draftOf,
  emptyDraft,
  requestOf,
  type ScheduleDraft,
  type ScheduleRequest,
  type Target,
  timingOf,
} from "./schedule-draft.ts";
import { type ScheduleField, TimingFields } from "./timing-fields.tsx";
import "../../rollouts/rollouts.css";
import "../schedules.css";

const words = texts.schedules.form;

interface Sent {
  body: ScheduleRequest;
  /** The number of edits that the request contains. */
  edits: number;
}

interface ScheduleEditorProps {
  /** Null for a new schedule. */
  stored: Schedule | null;
  /** Replaces the form with one for the newest version of the schedule with this id. */
  onReload: (id: string) => void;
}

export function ScheduleEditor(props: ScheduleEditorProps) {
  // A change by another user must not replace what this user has written.
  const [stored, setStored] = useState(props.stored);
  const form = useId();
  const leave = useLeavePage();
  const notify = useNotice();
  const [first] = useState(stored ? draftOf(stored) : emptyDraft(ownTimeZone()));
  const [draft, setDraft] = useDraft<ScheduleDraft>(first);
  const [isDirty, setDirty] = useState(false);
  const [isTargetDirty, setTargetDirty] = useState(false);
  const [isFixing, setFixing] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) focusFirstError();
  }, [attempts]);
  const timing = timingOf(draft);
  const preview = useDuePreview(timing);
  const edits = useRef(0);
  const save = useSingleMutation<Reply<"schedules.create">, Sent>({
    mutationFn: ({ body }) =>
      stored === null
        ? call("schedules.create", { body })
        : call("schedules.update", {
            params: { scheduleId: stored.id },
            body: { ...body, version: stored.version },
          }),
    onSuccess: (saved, sent) => {
      const { id, name, approvalState } = saved;
      notify(approvalState === null ? words.saved({ name }) : words.asked({ name }));
      refreshAll();
      setStored(saved);
      // If the user has changed something since the schedule was sent, the form stays.
      if (sent.edits !== edits.current) return;
      setDirty(false);
      leave(addressOf("schedules", id), { state: { mayLeave: true } });
    },
  });
  const touch = () => {
    edits.current++;
    setDirty(true);
    save.reset();
  };
  const change = (to: Partial<ScheduleDraft>) => {
    setDraft(to);
    touch();
  };
  const written = useRef<HTMLDivElement>(null);
  const submit = (target: Target | null) => {
    const isWhole =
      findUnfinished(written.current) === undefined && fieldsToCorrect(draft).length === 0;
    const isReady = isWhole && timing !== null && target !== null;
    setFixing(!isReady);
    if (!isReady) setAttempts((before) => before + 1);
    // The form would add defaults to a stored payload and would round times. Both would change the
    // content that was approved.
    const isSame = stored?.target.kind === target?.kind && !isTargetDirty;
    const kept = isSame ? (stored?.target as Target) : null;
    if (!isReady) return;
    save.mutate({ body: requestOf(draft, timing, kept ?? target), edits: edits.current });
  };
  const error = save.error ?? preview.error;
  const fieldOf = fieldsOf(draft, change, error);
  const wrong = isFixing ? fieldsToCorrect(draft) : [];
  const field: ScheduleField = (name, path) => {
    const given = fieldOf(name, path);
    return wrong.includes(name) ? { ...given, error: problemIn(name) } : given;
  };
  const target = stored?.target as Target | undefined;
  const targetProps = {
    form,
    isFixing,
    onChange: () => {
      setTargetDirty(true);
      touch();
    },
    onLooking: setLooking,
    onSubmit: submit,
    error: errorWithin(save.error, "target"),
    withheld: stored?.withheld ?? [],
  };
  const back = stored ? addressOf("schedules", stored.id) : listAddress("schedules");
  return (
    <>
      <Unsaved isDirty={isDirty} />
      {stored && <DeclaredNote of={stored} />}
      <div ref={written} className="schedule-form">
        <div>
          <Section title={words.about} card>
            <TextField label={texts.words.name} required maxLength={200} {...field("name")} />
            <LinesField label={texts.words.description} isProse {...field("description")} />
          </Section>
          <Section title={words.when} card>
            <TimingFields draft={draft} field={field} onChange={change} />
          </Section>
        </div>
        <DuePreview preview={preview} timing={timing} zone={timing?.timezone ?? ""} />
      </div>
      <Section title={words.what} card>
        <div className="schedule-fields">
          <RadioField
            legend={words.target}
            isInline
            value={draft.kind}
            onChange={(kind) => change({ kind })}
            options={optionsOf(words.targets)}
          />
          {draft.kind === "action" && (
            <ActionTargetFields
              {...targetProps}
              first={target?.kind === "action" ? target : null}
            />
          )}
          {draft.kind === "rollout" && <p className="muted">{words.rolloutHint}</p>}
        </div>
      </Section>
      {draft.kind === "rollout" && (
        <RolloutTargetFields {...targetProps} first={target?.kind === "rollout" ? target : null} />
      )}
      <Section title={words.rules} card>
        <div className="schedule-fields">
          <CheckField
            label={words.confirmation}
            hint={words.confirmationHint}
            {...field("confirmation", "target.confirmation")}
          />
          <RadioField
            legend={words.state}
            isInline
            {...field("state")}
            options={optionsOf(words.states)}
          />
          <Advanced isOpen={first.missed !== "skip" || first.overlap !== "skip"}>
            <RadioField
              legend={words.missed}
              {...field("missed")}
              options={optionsOf(texts.schedules.missed)}
            />
            <RadioField
              legend={words.overlap}
              {...field("overlap")}
              options={optionsOf(texts.schedules.overlap)}
            />
          </Advanced>
        </div>
      </Section>
      <SaveFailure error={save.error} onReload={() => stored && props.onReload(stored.id)} />
      <FormFooter note={<span className="muted">{words.policies}</span>}>
        <ButtonLink to={back}>{texts.words.cancel}</ButtonLink>
        <Button type="submit" form={form} kind="primary" busy={save.isPending || isLooking}>
          {words.save}
        </Button>
      </FormFooter>
    </>
  );
}

/** The fields that an incomplete timing can lack. */
const timingFields = {
  hourly: ["minute"],
  daily: ["time"],
  weekly: ["days", "time"],
  monthly: ["time"],
  cron: ["cron"],
  every: ["every"],
} as const;

/** The fields that must be filled in or corrected first. */
function fieldsToCorrect(draft: ScheduleDraft): (keyof ScheduleDraft)[] {
  const wrong: (keyof ScheduleDraft)[] = draft.name.trim() === "" ? ["name"] : [];
  if (timingOf(draft) === null) {
    const fields = timingFields[draft.repeats];
    // A single field is empty or wrong. Of two fields, at least one is empty.
    wrong.push(...fields.filter((name) => fields.length === 1 || draft[name].length === 0));
  }
  if (draft.repeats !== "every" && draft.timezone.trim() === "") wrong.push("timezone");
  return wrong;
}

/** Browsers report an incomplete number as empty. */
function problemIn(name: keyof ScheduleDraft): string {
  return name === "minute" || name === "every" ? words.wrong[name] : texts.words.missing;
}

const shownAtFields = ["name", "description", "cron", "everySeconds", "timezone", "until"];

function SaveFailure({ error, onReload }: { error: unknown; onReload: () => void }) {
  const conflict = conflictIn(error);
  if (!conflict) return <FormFailure error={error} fields={shownAtFields} />;
  return (
    <div className="card note" role="alert">
      <p>{words.conflict(conflict)}</p>
      <Button onClick={onReload}>{words.load}</Button>
    </div>
  );
}
