// The actions of a service as buttons, in the agent's order. Each opens the page of the action.

import { Link } from "react-router";
import { listedActions } from "../../../domain/services.ts";
import type { Reply } from "../../client/call.ts";
import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { actionPath } from "../../nouns/addresses.ts";
import { texts } from "../../texts/index.ts";
import { categoriesOf, obstacleOf } from "./service-actions.tsx";

const words = texts.services.actions;

/** All further actions are on their own tab. */
const shownAtMost = 16;

interface ActionButtonsProps {
  service: Reply<"services.get">;
  agent: Reply<"agents.get"> | undefined;
}

export function ActionButtons({ service, agent }: ActionButtonsProps) {
  const actions = listedActions(service.actions);
  const mayRun = useMay("operator");
  if (!mayRun || actions.length === 0) return null;
  const shown = actions.slice(0, shownAtMost);
  const hasCategories = shown.some(({ category }) => category !== null);
  const obstacle = agent && obstacleOf(agent);
  const all = <Link to="?tab=actions">{words.all({ many: actions.length })}</Link>;
  return (
    <Section title={texts.services.tabs.actions} actions={all}>
      {obstacle && (
        <p className="card note" role="status">
          {obstacle}
        </p>
      )}
      <div className="service-action-groups card">
        {categoriesOf(shown).map(([category, group]) => {
          const title = category || words.other;
          return (
            <div key={category} className="row">
              {hasCategories && <span className="muted small">{title}</span>}
              <ul
                className="row plain"
                aria-label={hasCategories ? title : texts.services.tabs.actions}
              >
                {group.map(({ name, label, dangerLevel }) => (
                  <li key={name}>
                    <ButtonLink
                      to={actionPath(service.id, name)}
                      aria-label={texts.actions.runThis({ label })}
                    >
                      {label}
                      {dangerLevel === "HIGH" && (
                        <span className="service-danger" title={texts.actions.danger[dangerLevel]}>
                          !
                        </span>
                      )}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </div>
    </Section>
  );
}
