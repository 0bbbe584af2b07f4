// The next runs for the timing in the form. They are updated a moment after each change.

import { ApiError } from "../../../client/api-error.ts";
import { messageOf } from "../../../components/failure.tsx";
import { Section } from "../../../components/page.tsx";
import { useSettledText } from "../../../fields/use-delayed-text.ts";
import { texts } from "../../../texts/index.ts";
import { DueTimes, type Timing, useDueTimes } from "../due-times.tsx";
import { timingText } from "../schedule.ts";

const words = texts.schedules.dues;

/** While the timing is incomplete, there is neither data nor an error. */
export function useDuePreview(timing: Timing | null) {
  const settled = useSettledText(JSON.stringify(timing));
  const asked = JSON.parse(settled) as Timing | null;
  const { data, error } = useDueTimes(asked ?? { cron: "* * * * *" }, { enabled: asked !== null });
  return asked === null || timing === null ? { data: undefined, error: null } : { data, error };
}

function isAtField(error: unknown): boolean {
  return error instanceof ApiError && error.issues.length > 0;
}

interface DuePreviewProps {
  preview: ReturnType<typeof useDuePreview>;
  /** Null while the timing is incomplete. */
  timing: Timing | null;
  zone: string;
}

export function DuePreview({ preview, timing, zone }: DuePreviewProps) {
  const { data, error } = preview;
  const isComplete = timing !== null;
  return (
    <div className="schedule-preview">
      <Section title={words.preview} card>
        <div aria-live="polite">
          {!isComplete && <p className="muted">{words.incomplete}</p>}
          {isComplete && error && (
            <p className="muted">{isAtField(error) ? words.invalid : messageOf(error)}</p>
          )}
          {isComplete && !error && !data && <p className="muted">{texts.words.loading}</p>}
          {data && <p className="schedule-sentence">{timingText({ ...timing, timezone: zone })}</p>}
          {data && <DueTimes dues={data.runs} zone={zone} label={words.preview} />}
        </div>
      </Section>
    </div>
  );
}
