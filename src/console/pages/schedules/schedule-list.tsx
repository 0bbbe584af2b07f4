// The list of schedules, with the pause of all of them.

import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { PauseAllButton, PausedBanner } from "./pause-all.tsx";
import { obstacleText, type ScheduleSummary, targetText, timingText } from "./schedule.ts";

const words = texts.schedules;

const cells = {
  when: timingText,
  runs: targetText,
  note: obstacleText,
} satisfies Record<string, (row: ScheduleSummary) => string | null>;

export function Component() {
  const mayAct = useMay("operator");
  return (
    <NounList
      noun="schedules"
      cells={cells}
      above={<PausedBanner />}
      actions={
        mayAct && (
          <>
            <PauseAllButton />
            <ButtonLink kind="primary" to="/schedules/new">
              {words.create}
            </ButtonLink>
          </>
        )
      }
    />
  );
}
