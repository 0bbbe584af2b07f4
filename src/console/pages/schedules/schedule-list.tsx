// The list of schedules, with a button that pauses them all.

import type { ReactNode } from "react";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { PauseAllButton, PausedBanner } from "./pause-all.tsx";
import { obstacleText, type ScheduleSummary, targetText, timingText } from "./schedule.ts";
import { Timeline } from "./timeline.tsx";

const words = texts.schedules;

const noRun = nouns.schedules.columns.find(({ name }) => name === "next")?.none;

const cells = {
  when: timingText,
  runs: targetText,
  note: obstacleText,
  // A schedule that lacks approval is enabled, but does not run.
  state: ({ approvalState }) => approvalState && <StatusBadge status={approvalState} />,
  next: (schedule) =>
    obstacleText(schedule) === null ? null : <span className="muted">{noRun}</span>,
} satisfies Record<string, (row: ScheduleSummary) => ReactNode>;

export function Component() {
  const mayAct = useMay("operator");
  return (
    <NounList
      noun="schedules"
      cells={cells}
      above={
        <>
          <PausedBanner />
          <Timeline />
        </>
      }
      actions={mayAct && <PauseAllButton />}
      create={
        mayAct && (
          <ButtonLink kind="primary" to="/schedules/new">
            {words.create}
          </ButtonLink>
        )
      }
    />
  );
}
