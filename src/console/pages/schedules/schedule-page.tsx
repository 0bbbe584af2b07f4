// The page of a schedule: whether and when it runs, its runs, and what it runs.

import { useParams } from "react-router";
import { Waiting } from "../../approvals/waiting.tsx";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { WarningList } from "../../components/warning-list.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";
import { DueTimes } from "./due-times.tsx";
import { PausedBanner } from "./pause-all.tsx";
import { type Schedule, targetText, timingText } from "./schedule.ts";
import { ScheduleActs } from "./schedule-acts.tsx";
import { type Definition, ScheduleFacts } from "./schedule-facts.tsx";
import { ScheduleRuns } from "./schedule-runs.tsx";
import "./schedules.css";

const words = texts.schedules;

export function Component() {
  const { scheduleId = "" } = useParams();
  const query = useCall("schedules.get", { params: { scheduleId } });
  const schedule = query.data;
  return (
    <NounPage
      noun={nouns.schedules}
      query={query}
      lead={schedule?.description}
      // A schedule that lacks approval is enabled, but does not run.
      state={schedule?.approvalState}
      acts={schedule && <ScheduleActs schedule={schedule} />}
    >
      {(loaded) => <Content schedule={loaded} />}
    </NounPage>
  );
}

function Content({ schedule }: { schedule: Schedule }) {
  const { id, nextRuns, timezone, approvalId, approvalState, state } = schedule;
  const isRunning = state === "ENABLED" && !schedule.allPaused && approvalState === null;
  return (
    <>
      {schedule.allPaused && <PausedBanner />}
      <WarningList warnings={schedule.warnings} />
      <Now schedule={schedule} />
      {approvalState !== null && approvalId !== null && <Waiting id={approvalId} />}
      {(isRunning || nextRuns.length > 0) && (
        <Section title={words.dues.title}>
          <DueTimes dues={nextRuns} zone={timezone} label={words.dues.title} />
        </Section>
      )}
      <Section title={words.runs.title}>
        <ScheduleRuns scheduleId={id} />
      </Section>
      <Section title={words.facts.title} card>
        <ScheduleFacts definition={schedule as Definition} />
        {schedule.withheld.length > 0 && <p className="muted small">{words.facts.withheld}</p>}
      </Section>
      <AuditTrail targetId={id} />
    </>
  );
}

/** The state in a sentence, followed by the target and the timing. */
function Now({ schedule }: { schedule: Schedule }) {
  return (
    <section className="card stack tight" aria-label={words.now.title}>
      <p className="schedule-now" role="status">
        <Explanation schedule={schedule} />
      </p>
      <p className="muted">
        {timingText(schedule)}
        {texts.words.colon}
        {targetText(schedule)}
      </p>
    </section>
  );
}

function Explanation({ schedule }: { schedule: Schedule }) {
  const { state, allPaused, approvalState, nextRunAt } = schedule;
  if (state === "PAUSED") return words.now.paused;
  if (approvalState === "AWAITING_APPROVAL") return words.now.awaiting;
  if (approvalState === "NOT_APPROVED") return `${words.now.notApproved} ${words.now.askAgain}`;
  if (allPaused) return words.now.allPaused;
  if (nextRunAt === null) return words.now.over;
  return <Sentence text={words.now.next} parts={{ time: <Time at={nextRunAt} /> }} />;
}
