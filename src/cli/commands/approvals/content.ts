// The content of a request for approval, in words. Fields that this version does not know are shown
// as they are, because approvers must see all that they approve.

import { cells, leftOutText } from "../../../api/contract/cells.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import type { LeftOutServices } from "../../../domain/rollouts.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { section } from "../../output/output.ts";
import { byReason, rulesInWords } from "../rollouts/show.ts";
import { rulesOf } from "../schedules/saved-schedule.ts";
import type { ApprovalDetail } from "./wait-for-approval.ts";

/** With `isWide`, the fields are those of the API. */
export function contentText({ content, kind }: ApprovalDetail, isWide: boolean): string {
  const { payload, payloadByService, ...rest } = content;
  const what = isWide ? rest : inWords[kind](rest);
  const known = Object.entries(what).filter(([, value]) => !isEmpty(value));
  const out = isWide ? undefined : (rest.leftOut as LeftOutServices | undefined);
  return [
    section("what runs", Object.fromEntries(known)),
    out === undefined ? "" : `\nleft out\n${byReason(out.services)}`,
    isEmpty(payload) ? "" : section("payload", payload),
    isEmpty(payloadByService) ? "" : section("payloads of services", payloadByService),
  ].join("");
}

const inWords: Record<ApprovalDetail["kind"], (content: JsonObject) => JsonObject> = {
  /** Replaces the service, the agent and the action by name, because the full objects are long. */
  action({ service, agent, action, ...content }) {
    const { reason: _, prepareCommandId, retryOf, expectedState, plan, queue, ...rest } = content;
    const ofAction = isJsonObject(action ?? null) ? (action as JsonObject) : {};
    const codeOf = (value: unknown) => (value as { code?: string } | undefined)?.code ?? null;
    const { planId, createdBy } = (plan ?? {}) as { planId?: string; createdBy?: string | null };
    return {
      service: codeOf(service),
      agent: codeOf(agent),
      action: ofAction.name ?? null,
      danger: ofAction.dangerLevel ?? null,
      prepared: prepareCommandId ?? null,
      "if unchanged": expectedState ? "yes" : null,
      "retry of": retryOf ?? null,
      plan:
        planId === undefined
          ? null
          : [planId, createdBy && `by ${createdBy}`].filter(Boolean).join(" "),
      offline: queue === true ? "waits for the agent" : null,
      ...rest,
    };
  },
  rollout(content) {
    const { name, action, reason: _, retryOf, choice, total, waves, leftOut, ...others } = content;
    const { maxParallel, maxFailures, offline, ifUnchanged, between, ...more } = others;
    const { healthTimeoutSeconds, deadlineSeconds, dangerLevel, ...rest } = more;
    const rules = { choice, maxParallel, maxFailures, offline, ifUnchanged, between };
    const out = leftOutText(leftOut as LeftOutServices | undefined);
    const all = Number(total) + ((leftOut as LeftOutServices | undefined)?.total ?? 0);
    const sizes = (waves ?? []) as number[];
    return {
      rollout: name ?? null,
      action: action ?? null,
      danger: dangerLevel ?? null,
      services: out === null ? (total ?? null) : `${total} of ${all}, ${out}`,
      waves: sizes.length > 1 ? sizes.join(", ") : null,
      "retry of": retryOf ?? null,
      ...rulesInWords({ ...rules, healthTimeoutSeconds } as never),
      deadline: deadlineSeconds ? formatDuration(Number(deadlineSeconds)) : null,
      ...rest,
    };
  },
  /** `bound` is the hash of the declaration. */
  schedule(content) {
    const { name, scheduleId: _, cron, everySeconds, timezone, until, ...others } = content;
    const { target, missed, overlap, bound: _bound, ...rest } = others;
    const timing = { ...(cron ? { cron } : {}), everySeconds, timezone };
    return {
      schedule: name ?? null,
      when: cells.scheduleTiming(timing as never) ?? null,
      ...rulesOf({ missed, overlap, until } as never),
      ...rest,
      target: target ?? null,
    };
  },
};

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return isJsonObject(value as never) && Object.keys(value as object).length === 0;
}
