// The fields that say when a schedule runs.

import type { fieldsOf } from "../../../fields/draft.ts";
import { ChoiceField, TextField } from "../../../fields/inputs.tsx";
import { RadioField } from "../../../fields/radio-field.tsx";
import { ownTimeZone } from "../../../format/time.ts";
import { texts } from "../../../texts/index.ts";
import type { ScheduleDraft, Unit } from "./schedule-draft.ts";

const words = texts.schedules.form;

export type ScheduleField = ReturnType<typeof fieldsOf<ScheduleDraft>>;

const zones = Intl.supportedValuesOf("timeZone").map((zone) => <option key={zone} value={zone} />);

interface TimingFieldsProps {
  draft: ScheduleDraft;
  field: ScheduleField;
}

export function TimingFields({ draft, field }: TimingFieldsProps) {
  return (
    <>
      <RadioField
        legend={words.kind}
        isInline
        {...field("repeats")}
        options={[
          ["cron", words.kinds.cron],
          ["every", words.kinds.every],
        ]}
      />
      {draft.repeats === "cron" ? (
        <>
          <TextField
            label={words.cron}
            hint={words.cronHint}
            required
            spellCheck={false}
            placeholder="0 3 * * *"
            {...field("cron")}
          />
          <TextField
            label={words.timezone}
            hint={words.timezoneHint}
            required
            suggestions={zones}
            {...field("timezone")}
          />
        </>
      ) : (
        <div className="row inline-fields">
          <TextField
            label={words.every}
            hint={words.everyHint}
            type="number"
            min={1}
            required
            {...field("every", "everySeconds")}
          />
          <ChoiceField<Unit>
            label={words.unit}
            {...field("unit")}
            options={Object.entries(words.units) as [Unit, string][]}
          />
        </div>
      )}
      <TextField
        label={words.until}
        hint={words.untilHint}
        type="datetime-local"
        title={texts.timeRange.zone({ zone: ownTimeZone() })}
        {...field("until")}
      />
    </>
  );
}
