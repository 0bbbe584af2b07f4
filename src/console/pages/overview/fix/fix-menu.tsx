// Offers the actions that the services of some groups declare. Actions that all these services
// declare come first.

import { useCall } from "../../../client/queries.ts";
import type { ButtonKind } from "../../../components/buttons/button.tsx";
import { PopButton } from "../../../components/buttons/pop-button.tsx";
import { Failure } from "../../../components/failure.tsx";
import { texts } from "../../../texts/index.ts";
import type { Group } from "../attention/group.ts";
import type { Fix } from "./fix-sheet.tsx";

const words = texts.fix;

interface FixMenuProps extends FixChoicesProps {
  text: string;
  label?: string;
  kind?: ButtonKind;
}

interface FixChoicesProps {
  groups: readonly Group[];
  onFix: (fix: Fix) => void;
}

export function FixMenu({ text, label = text, kind = "plain", ...choices }: FixMenuProps) {
  return (
    <PopButton text={text} label={label} kind={kind}>
      <FixChoices {...choices} />
    </PopButton>
  );
}

/** Reads the actions when the menu opens, because there can be many services. */
function FixChoices({ groups, onFix }: FixChoicesProps) {
  const query = { groups: groups.map(({ id }) => id) };
  const { data, error } = useCall("attention.actions", { query });
  if (!data) {
    return error ? <Failure error={error} /> : <p className="muted">{texts.words.loading}</p>;
  }
  const { services, actions } = data;
  if (actions.length === 0) return <p className="muted">{words.noActions}</p>;
  return (
    <ul className="plain" aria-label={words.actions}>
      {actions.map((action) => {
        const { name, label, dangerLevel, services: some } = action;
        const isPartial = some < services.length;
        return (
          <li key={name}>
            <button
              type="button"
              className="menu-item"
              onClick={() => onFix({ action, services: services.map(({ code }) => code) })}
            >
              {label}
              <span className="small muted">
                {isPartial && words.declaredBy({ some, all: services.length })}
                {dangerLevel === "HIGH" && (
                  <span className="danger-text">{texts.actions.danger[dangerLevel]}</span>
                )}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
