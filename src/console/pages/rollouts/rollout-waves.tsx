// The progress of a rollout, wave by wave: a bar with the numbers, and a cell for each service.
// Only changed cells are rendered again.

import { useMemo } from "react";
import { Cell, CellField } from "../../components/cells/cell-field.tsx";
import { Shares } from "../../components/shares.tsx";
import { statusText } from "../../format/status.ts";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { countsText, errorText, type Rollout, type Target, targetStates } from "./rollout.ts";

const words = texts.rollouts;

interface RolloutWavesProps {
  rollout: Rollout;
  /** Only these services have cells. */
  targets: readonly Target[];
}

export function RolloutWaves({ rollout, targets }: RolloutWavesProps) {
  const { waves, wave: current, completedAt } = rollout;
  const byId = useMemo(() => new Map(targets.map((each) => [each.serviceId, each])), [targets]);
  const byWave = useMemo(() => Map.groupBy(targets, ({ wave }) => wave), [targets]);
  return (
    <CellField
      first={targets[0]?.serviceId}
      has={(id) => byId.has(id)}
      tip={(id) => tipOf(byId.get(id))}
    >
      {(stop) =>
        waves.map(({ size, targets: counts }, at) => {
          const wave = at + 1;
          const isCurrent = completedAt === null && wave === current;
          return (
            <section key={wave} className="rollout-wave tight" aria-labelledby={`wave-${wave}`}>
              <p className="row row-text">
                <strong id={`wave-${wave}`}>{words.waves.one({ wave })}</strong>
                <span className="muted small">
                  {words.waves.services({ many: size })}
                  {isCurrent && ` · ${words.waves.current}`}
                </span>
                <span className="small rollout-counts">{countsText(counts)}</span>
              </p>
              <Shares states={targetStates.toReversed()} counts={counts} />
              <ul className="row plain rollout-cells">
                {byWave.get(wave)?.map((target) => (
                  <Cell
                    key={target.serviceId}
                    id={target.serviceId}
                    to={addressOfTarget(target)}
                    state={target.state}
                    label={labelOf(target)}
                    isStop={target.serviceId === stop}
                  />
                ))}
              </ul>
            </section>
          );
        })
      }
    </CellField>
  );
}

/** Returns the path of the command's page, or of the service's page if there is no command. */
function addressOfTarget({ commandId, serviceId }: Target): string {
  return commandId ? addressOf("commands", commandId) : addressOf("services", serviceId);
}

function tipOf(target: Target | undefined) {
  if (!target) return null;
  const { serviceCode, agentCode, state } = target;
  const error = errorText(target);
  return (
    <>
      <p>
        <strong>{serviceCode}</strong> <StatusBadge status={state} />
      </p>
      {error && <p>{error}</p>}
      <p className="muted small">{agentCode}</p>
    </>
  );
}

function labelOf(target: Target): string {
  const { serviceCode: code, state } = target;
  const label = words.targets.cell({ code, state: statusText(state) });
  return [label, errorText(target)].filter(Boolean).join(texts.words.comma);
}
