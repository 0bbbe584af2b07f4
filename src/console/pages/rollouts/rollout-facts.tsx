// The rules of a rollout: on which services it runs, and how.

import { firstOf } from "../../format/first-of.ts";
import { count } from "../../format/number.ts";
import { statusText } from "../../format/status.ts";
import { duration } from "../../format/time.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { type Fact, Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { Time } from "../../values/time.tsx";
import type { Rollout } from "./rollout.ts";

const words = texts.rollouts.rules;
const listed = 20;

interface RolloutFactsProps {
  rollout: Rollout;
  /** Shows only the rules and these facts, without a card, as part of a request for approval. */
  partWith?: Fact[];
}

export function RolloutFacts({ rollout, partWith }: RolloutFactsProps) {
  const rules = rulesOf(rollout);
  return partWith ? (
    <Facts facts={[...rules, ...partWith]} />
  ) : (
    <Facts card facts={[...rules, ...originOf(rollout)]} />
  );
}

function rulesOf(rollout: Rollout): Fact[] {
  const { choice, waves, between, offline, healthTimeoutSeconds: health } = rollout;
  const { selector, services, agents, status } = choice;
  return [
    [texts.words.action, <code key="action">{rollout.action}</code>],
    [
      words.selector,
      selector !== undefined && (selector ? <code>{selector}</code> : words.everything),
    ],
    [texts.words.status, status?.map(statusText).join(texts.words.comma)],
    [texts.words.service, services && firstOf(services, listed)],
    [texts.words.agent, agents && firstOf(agents, listed)],
    [texts.rollouts.form.canary, rollout.canary && <code>{rollout.canary}</code>],
    [words.waves, waves.map(({ size }) => count(size)).join(texts.words.comma)],
    [words.maxParallel, count(rollout.maxParallel)],
    [words.maxFailures, count(rollout.maxFailures)],
    [
      words.between,
      typeof between === "number"
        ? words.wait({ time: duration(between * 1000) })
        : words.betweens[between],
    ],
    [words.offline, words.offlines[offline]],
    [words.condition, rollout.ifUnchanged && words.ifUnchanged],
    [
      words.health,
      health === null ? words.unchecked : words.healthy({ time: duration(health * 1000) }),
    ],
  ];
}

function originOf(rollout: Rollout): Fact[] {
  const { retryOf } = rollout;
  return [
    [texts.actions.reason, rollout.reason],
    [texts.words.id, <IdValue key="id" id={rollout.id} />],
    [words.by, rollout.createdBy],
    [texts.words.created, <Time key="created" at={rollout.createdAt} />],
    [words.ended, rollout.completedAt && <Time at={rollout.completedAt} />],
    [words.schedule, rollout.scheduleId && <NounLink to="schedules" id={rollout.scheduleId} />],
    [words.approval, rollout.approvalId && <NounLink to="approvals" id={rollout.approvalId} />],
    [words.retryOf, retryOf && <NounLink to="rollouts" id={retryOf} />],
  ];
}
