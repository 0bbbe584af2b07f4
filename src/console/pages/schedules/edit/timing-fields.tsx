// The fields that say when a schedule runs.

import { useId } from "react";
import type { fieldsOf } from "../../../fields/draft.ts";
import { ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { optionsOf } from "../../../fields/options.ts";
import { useUnfinished } from "../../../fields/unfinished.ts";
import { ownTimeZone } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";
import { lastDay, monthDays, type Weekday, weekdays } from "../usual-times.ts";
import { cronIn, type Repeats, type ScheduleDraft, type Unit } from "./schedule-draft.ts";

const words = texts.schedules.form;
const usual = texts.schedules.usual;

export type ScheduleField = ReturnType<typeof fieldsOf<ScheduleDraft>>;

const zones = Intl.supportedValuesOf("timeZone").map((zone) => <option key={zone} value={zone} />);

interface TimingFieldsProps {
  draft: ScheduleDraft;
  field: ScheduleField;
  onChange: (to: Partial<ScheduleDraft>) => void;
}

export function TimingFields({ draft, field, onChange }: TimingFieldsProps) {
  const { repeats } = draft;
  const until = field("until");
  const { problem, watch } = useUnfinished();
  // After a switch to a cron expression, the field initially has the times chosen so far.
  const repeat = (to: Repeats) =>
    onChange(to === "cron" ? { repeats: to, cron: cronIn(draft) } : { repeats: to });
  return (
    <>
      <ChoiceField<Repeats>
        label={words.kind}
        value={repeats}
        onChange={repeat}
        options={optionsOf(words.kinds)}
      />
      <Times draft={draft} field={field} />
      {repeats !== "every" && (
        <TextField
          label={words.timezone}
          hint={words.timezoneHint}
          required
          suggestions={zones}
          {...field("timezone")}
        />
      )}
      <TextField
        label={words.until}
        hint={words.untilHint}
        type="datetime-local"
        title={texts.timeRange.zone({ zone: ownTimeZone() })}
        {...watch}
        {...until}
        error={problem ?? until.error}
      />
    </>
  );
}

function Times({ draft: { repeats }, field }: Omit<TimingFieldsProps, "onChange">) {
  if (repeats === "cron") return <CronField field={field} />;
  if (repeats === "every") return <IntervalFields field={field} />;
  if (repeats === "hourly") {
    return (
      <TextField
        label={words.minute}
        type="number"
        min={0}
        max={59}
        required
        {...field("minute")}
      />
    );
  }
  return (
    <>
      {repeats === "weekly" && <DaysField {...field("days")} />}
      <div className="row inline-fields">
        {repeats === "monthly" && (
          <ChoiceField label={words.day} {...field("day")} options={dayOptions} />
        )}
        <TextField label={words.time} type="time" required {...field("time")} />
      </div>
    </>
  );
}

const dayOptions = monthDays.map((day) => [day, day === lastDay ? words.lastDay : day] as const);

function CronField({ field }: { field: ScheduleField }) {
  return (
    <TextField
      label={words.cron}
      hint={words.cronHint}
      help="cron"
      required
      spellCheck={false}
      placeholder="*/5 9-17 * * 1-5"
      {...field("cron")}
    />
  );
}

function IntervalFields({ field }: { field: ScheduleField }) {
  return (
    <div className="row inline-fields">
      <TextField
        label={words.every}
        hint={words.everyHint}
        type="number"
        min={1}
        required
        {...field("every", "everySeconds")}
      />
      <ChoiceField<Unit> label={words.unit} {...field("unit")} options={optionsOf(words.units)} />
    </div>
  );
}

interface DaysFieldProps {
  value: readonly Weekday[];
  error: string | null;
  onChange: (days: readonly Weekday[]) => void;
}

function DaysField({ value, error, onChange }: DaysFieldProps) {
  const id = useId();
  return (
    <fieldset className="choices schedule-days" aria-describedby={error ? id : undefined}>
      <legend>{words.days}</legend>
      <div className="row">
        {weekdays.map((day) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={value.includes(day)}
              aria-invalid={error !== null || undefined}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, day] : value.filter((each) => each !== day))
              }
            />
            {usual.shortWeekdays[day]}
          </label>
        ))}
      </div>
      {error && (
        <p id={id} className="field-error small">
          {error}
        </p>
      )}
    </fieldset>
  );
}
