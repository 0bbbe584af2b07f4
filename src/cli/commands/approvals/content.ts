// The content of a request for approval, in words. Fields that this version does not know are shown
// as they are, because approvers must see all that they approve.

import { cells, leftOutText } from "../../../api/contract/cells.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import type { LeftOutServices } from "../../../domain/rollouts/rollouts.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { section } from "../../output/output.ts";
import { wrapLines } from "../../output/text-width.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { byReason, rulesInWords } from "../rollouts/show.ts";
import { rulesOf } from "../schedules/saved-schedule.ts";
import type { ApprovalDetail } from "./wait-for-approval.ts";

/** With `isWide`, the fields are those of the API. */
export function contentText(io: Io, { content, kind }: ApprovalDetail, isWide: boolean): string {
  const { payload, payloadByService, ...what } = isWide ? content : inWords[kind](content);
  const leftOut = isWide ? undefined : leftOutOf(content);
  return [
    isWide
      ? section("what runs", filled(what))
      : valueSection(io, "what runs", filled(what) as JsonObject),
    leftOut === undefined ? "" : wrapLines(`\nleft out\n${byReason(leftOut.services)}`, io.width),
    isEmpty(payload) ? "" : section("payload", payload),
    isEmpty(payloadByService) ? "" : section("payloads of services", payloadByService),
  ].join("");
}

const inWords: Record<ApprovalDetail["kind"], (content: JsonObject) => JsonObject> = {
  /**
   * Replaces the service, the agent and the action by their names, because the full objects are
   * long.
   */
  action({ service, agent, action, ...content }) {
    const { reason: _, prepareCommandId, retryOf, expectedState, plan, queue, ...rest } = content;
    const ofAction = isJsonObject(action ?? null) ? (action as JsonObject) : {};
    const codeOf = (value: unknown) => (value as { code?: string } | undefined)?.code ?? null;
    return {
      service: codeOf(service),
      agent: codeOf(agent),
      action: ofAction.name ?? null,
      danger: ofAction.dangerLevel ?? null,
      prepared: prepareCommandId ?? null,
      "if unchanged": expectedState ? "yes" : null,
      "retry of": retryOf ?? null,
      plan: (plan as { planId?: string } | null | undefined)?.planId ?? null,
      "if offline": queue ? "waits for the agent" : null,
      ...rest,
    };
  },
  rollout({ reason: _, total, dangerLevel, retryOf, choice, ...shown }) {
    const { leftOut: __, ...content } = shown;
    const leftOut = leftOutOf(shown);
    const all = Number(total) + (leftOut?.total ?? 0);
    const { waves, healthTimeoutSeconds } = content;
    const isOneWave = Array.isArray(waves) && waves.length === 1;
    const healthGate = healthTimeoutSeconds !== null;
    return {
      danger: dangerLevel ?? null,
      services: leftOut ? `${total} of ${all}, ${leftOutText(leftOut)}` : (total ?? null),
      "retry of": retryOf ?? null,
      ...rolloutInWords({ ...content, healthGate, ...(isOneWave ? { waves: null } : {}) }, choice),
    };
  },
  /** The service and its declaration are compared with `bound` when the schedule runs. */
  schedule({ scheduleId: _, bound: __, name, target, missed, overlap, until, ...content }) {
    const { cron, everySeconds, timezone, ...rest } = content;
    const { kind, confirmation: ___, ...what } = target as JsonObject;
    const { selector, services, agents, status, ...rules } = what;
    const choice = filled({ selector, services, agents, status });
    return {
      schedule: name ?? null,
      when: cells.scheduleTiming(filled({ cron, everySeconds, timezone }) as never) ?? null,
      ...rulesOf({ missed, overlap, until } as never),
      ...(kind === "rollout" ? rolloutInWords(rules, choice as JsonObject) : what),
      ...rest,
    };
  },
};

/** The fields of a rollout that requests for approval of rollouts and of schedules share. */
function rolloutInWords(content: JsonObject, choice: JsonObject[string] | undefined): JsonObject {
  const { name, action, waves, canary, maxParallel, maxFailures, between, ...others } = content;
  const { offline, ifUnchanged, healthGate, healthTimeoutSeconds, deadlineSeconds, ...rest } =
    others;
  return {
    rollout: name ?? null,
    action: action ?? null,
    waves: Array.isArray(waves) && waves.length > 0 ? waves.join(", ") : null,
    canary: canary ?? null,
    ...rulesInWords({
      ...{ choice, maxParallel, maxFailures, between, offline, ifUnchanged },
      healthTimeoutSeconds: healthGate ? healthTimeoutSeconds : null,
    } as never),
    deadline: deadlineSeconds ? formatDuration(Number(deadlineSeconds)) : null,
    ...rest,
  };
}

function leftOutOf({ leftOut }: JsonObject): LeftOutServices | undefined {
  return leftOut as LeftOutServices | undefined;
}

function filled(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return isJsonObject(value as never) && Object.keys(value as object).length === 0;
}
