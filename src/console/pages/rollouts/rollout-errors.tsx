// The errors of a rollout. Each is a button that limits the list to the services with the error.

import { Cut } from "../../components/text/cut.tsx";
import { firstOf } from "../../format/first-of.ts";
import { count } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import type { ErrorGroup } from "./failures.ts";

const words = texts.rollouts.errors;
const mostNamed = 3;

interface RolloutErrorsProps {
  groups: readonly ErrorGroup[];
  /** The code of the chosen error, or an empty text. */
  chosen: string;
  onChoose: (code: string) => void;
}

export function RolloutErrors({ groups, chosen, onChoose }: RolloutErrorsProps) {
  if (groups.length === 0) return null;
  return (
    <ul className="rollout-errors panel" aria-label={words.title}>
      {groups.map(({ code, message, targets }) => (
        <li key={code}>
          <button
            type="button"
            aria-pressed={chosen === code}
            onClick={() => onChoose(chosen === code ? "" : code)}
          >
            <strong className="rollout-error-many">{count(targets.length)} ×</strong>
            <Cut>
              <code>{code}</code> {message}
            </Cut>
            <span className="muted small">
              <Cut>
                {firstOf(
                  targets.map(({ serviceCode }) => serviceCode),
                  mostNamed,
                )}
              </Cut>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
