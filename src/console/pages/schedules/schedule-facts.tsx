// The definition of a schedule: what runs, and by which rules.

import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import { statusText } from "../../format/status.ts";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { type Fact, Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import { ValueView } from "../../values/value-view.tsx";
import type { ActionTarget, RolloutTarget } from "./edit/schedule-draft.ts";
import { targetText, timingText } from "./schedule.ts";

const words = texts.schedules.facts;
const rules = texts.rollouts.rules;
const { comma } = texts.words;

/** The part of a schedule that operators write. */
export interface Definition {
  cron?: string;
  everySeconds?: number;
  timezone: string;
  until?: string;
  target: JsonObject;
  missed: "skip" | "once";
  overlap: "skip" | "wait";
  owner?: { name: string };
}

export function ScheduleFacts({ definition }: { definition: Definition }) {
  const { cron, until, missed, overlap, owner, target } = definition;
  const { payload, payloadByService } = target;
  return (
    <>
      <Facts
        facts={[
          [texts.words.action, targetText({ target })],
          [
            words.when,
            cron === undefined ? timingText(definition) : <code key="cron">{cron}</code>,
          ],
          [words.timezone, cron !== undefined && definition.timezone],
          [words.until, until !== undefined && <Time at={until} />],
          [words.missed, texts.schedules.missed[missed]],
          [words.overlap, texts.schedules.overlap[overlap]],
          [words.owner, owner?.name],
          ...(target.kind === "rollout" ? rolloutFacts(target as unknown as RolloutTarget) : []),
          [words.confirmation, target.confirmation === true ? texts.words.yes : texts.words.no],
          [texts.actions.reason, (target as unknown as ActionTarget).reason],
        ]}
      />
      <Payload title={texts.words.payload} value={payload} />
      <Payload title={words.payloads} value={payloadByService} />
    </>
  );
}

function Payload({ title, value }: { title: string; value: unknown }) {
  if (!isJsonObject(value as JsonObject) || Object.keys(value as JsonObject).length === 0)
    return null;
  return (
    <>
      <h3 className="schedule-payload">{title}</h3>
      <ValueView value={value as JsonObject} label={title} />
    </>
  );
}

function rolloutFacts(target: RolloutTarget): Fact[] {
  const { selector, services, agents, status, waves, between } = target;
  return [
    [
      rules.selector,
      selector !== undefined && (selector ? <code>{selector}</code> : rules.everything),
    ],
    [words.services, services?.join(comma)],
    [texts.words.agent, agents?.join(comma)],
    [texts.words.status, status?.map(statusText).join(comma)],
    [texts.rollouts.form.canary, target.canary && <code>{target.canary}</code>],
    [rules.waves, waves && waves.length > 0 && [...waves, "100%"].join(comma)],
    [rules.maxParallel, target.maxParallel],
    [rules.maxFailures, target.maxFailures],
    [
      rules.between,
      typeof between === "number"
        ? rules.wait({ time: duration(between * 1000) })
        : between && rules.betweens[between],
    ],
    [rules.offline, target.offline && rules.offlines[target.offline]],
    [
      rules.health,
      target.healthGate
        ? rules.healthy({ time: duration((target.healthTimeoutSeconds ?? 0) * 1000) })
        : rules.unchecked,
    ],
    [
      texts.rollouts.now.deadlineAt,
      target.deadlineSeconds && duration(target.deadlineSeconds * 1000),
    ],
  ];
}
