import { useMay } from "../../client/session.ts";
import { ButtonLink } from "../../components/buttons/button.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { FirstSteps } from "../../first-steps/first-steps.tsx";
import { totalOf } from "../../format/number.ts";
import { isStatus } from "../../format/status.ts";
import { type Found, NounList } from "../../nouns/noun-list.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";

export function Component() {
  const mayRun = useMay("operator");
  return (
    <NounList
      noun="services"
      cells={{
        // An agent can report any text.
        health: ({ healthStatus: word }) =>
          word && (isStatus(word) ? <StatusBadge status={word} /> : softBreaks(word)),
      }}
      actions={(found) => mayRun && <RunOnFound found={found} />}
      bulk={mayRun ? ({ rows }) => <RunOnSelected services={rows} /> : undefined}
      emptyHint={<FirstSteps />}
    />
  );
}

function RunOnSelected({ services }: { services: readonly { code: string }[] }) {
  const codes = services.map(({ code }) => code).join(",");
  return (
    <ButtonLink kind="primary" to={`/rollouts/new?${new URLSearchParams({ services: codes })}`}>
      {texts.rollouts.onThese({ many: services.length })}
    </ButtonLink>
  );
}

/**
 * Without filters, the button chooses no services: to run an action on all services, users must
 * choose them explicitly. The button stays in its place, so that filters do not move the list.
 */
function RunOnFound({ found: { filters, pagination } }: { found: Found }) {
  const isChoice = Object.keys(filters).length > 0 && pagination && pagination.total > 0;
  if (!isChoice) return <ButtonLink to="/rollouts/new">{texts.rollouts.start}</ButtonLink>;
  return (
    <ButtonLink to={`/rollouts/new?${new URLSearchParams(filters)}`}>
      {texts.rollouts.onThese({ many: totalOf(pagination) })}
    </ButtonLink>
  );
}
