// One cell for each target of a rollout, by wave. Only changed cells are rendered again.

import { useMemo } from "react";
import { Cell, CellField } from "../../components/cells/cell-field.tsx";
import { addressOf } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { errorText, type Target } from "./rollout.ts";

const words = texts.rollouts;

export function TargetCells({ targets }: { targets: readonly Target[] }) {
  const byId = useMemo(() => new Map(targets.map((each) => [each.serviceId, each])), [targets]);
  const waves = useMemo(() => [...Map.groupBy(targets, ({ wave }) => wave)], [targets]);
  return (
    <CellField
      first={targets[0]?.serviceId}
      has={(id) => byId.has(id)}
      tip={(id) => tipOf(byId.get(id))}
    >
      {(stop) =>
        waves.map(([wave, each]) => (
          <div key={wave} className="rollout-wave">
            <p className="small" id={`wave-${wave}`}>
              {words.waves.one({ wave })}
            </p>
            <ul className="row plain" aria-labelledby={`wave-${wave}`}>
              {each.map((target) => (
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
          </div>
        ))
      }
    </CellField>
  );
}

/** A target without a command opens its service. */
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
  const label = words.targets.cell({ code: target.serviceCode, state: target.state });
  return [label, errorText(target)].filter(Boolean).join(texts.words.comma);
}
