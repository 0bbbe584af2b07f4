// The progress of a rollout, wave by wave.

import { Section } from "../../components/page.tsx";
import { texts } from "../../texts/index.ts";
import { toneOf } from "../../values/status-badge.tsx";
import { countsText, type Rollout, targetStates } from "./rollout.ts";

const words = texts.rollouts.waves;

export function RolloutWaves({ rollout }: { rollout: Rollout }) {
  const { waves, wave, completedAt } = rollout;
  return (
    <Section title={words.title} card>
      <ol className="stack plain rollout-waves">
        {waves.map(({ size, targets }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rollout keeps its waves
          <li key={at}>
            <span>
              <strong>{words.one({ wave: at + 1 })}</strong>{" "}
              <span className="muted">{words.services({ many: size })}</span>
              {completedAt === null && at + 1 === wave && (
                <span className="muted small"> · {words.current}</span>
              )}
            </span>
            <WaveBar targets={targets} />
            <span>{countsText(targets)}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The text next to the bar has the same numbers. */
function WaveBar({ targets }: Pick<Rollout, "targets">) {
  const shown = targetStates.toReversed().filter((state) => targets[state] > 0);
  return (
    <span className="rollout-bar" aria-hidden="true">
      {shown.map((state) => (
        <span
          key={state}
          className={`rollout-${state.toLowerCase()} tone-${toneOf(state)}`}
          style={{ flexGrow: targets[state] }}
        />
      ))}
    </span>
  );
}
