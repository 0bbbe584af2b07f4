// Makes plans and applies them. (docs/decisions/0007-two-phase-actions.md)

import type { Plan } from "../../../domain/commands/plans.ts";
import type { Invocation } from "../../command.ts";
import {
  isForPeople,
  type OutputOptions,
  printOne,
  section,
  type View,
} from "../../output/output.ts";
import { printableLine, printableText } from "../../output/printable.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";
import { noteLast } from "../../terminal/notes.ts";
import { canAsk, confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, refuseWaitAndDetach, runQuestion } from "../../waiting-flags.ts";
import { type WaitOptions, waitUnlessDetached } from "../commands/wait.ts";
import { givenPayload, type PayloadOptions, payloadFor } from "./payload-source.ts";
import { beginPlanFile, readPlan, writePlan } from "./plan-file.ts";
import { policiesFor } from "./run.ts";
import { findTarget } from "./target.ts";

const view: View<Plan> = {
  columns: [
    { name: "action", value: ({ action }) => action.name },
    { name: "danger", value: ({ action }) => action.dangerLevel, kind: "state" },
    { name: "service", value: ({ service }) => service.code },
    { name: "agent", value: ({ agent }) => agent.code },
    { name: "reason", value: ({ reason }) => reason },
    { name: "planned by", value: ({ createdBy }) => createdBy },
    { name: "created", value: ({ createdAt }) => createdAt, kind: "time" },
    { name: "expires", value: ({ expiresAt }) => expiresAt, kind: "time" },
    { name: "plan", value: ({ id }) => id, kind: "key" },
    { name: "state", value: ({ stateFingerprint }) => stateFingerprint, kind: "key", wide: true },
  ],
  nameOf: ({ id }) => id,
};

type PlanOptions = OutputOptions &
  Omit<PayloadOptions, "payload"> & { reason?: string; out?: string; force?: boolean };

export async function planAction(invocation: Invocation): Promise<void> {
  const { io } = invocation;
  const options = invocation.options as unknown as PlanOptions;
  const { out, force = false, reason } = options;
  using file = out === undefined ? null : await beginPlanFile(invocation, out, force);
  const target = await findTarget(invocation);
  const { api, service, action } = target;
  const { payload, prepareCommandId = "" } = await payloadFor(target, {
    ...options,
    payload: await givenPayload(invocation),
    ifUnchanged: true,
  });
  const plan = await api.call("plans.create", {
    params: { serviceId: service.id, actionName: action.name },
    body: { payload, prepareCommandId, ...(reason ? { reason } : {}) },
  });
  if (file) await writePlan(file, plan);
  printOne(io, options, plan, view, () => partsOf(io, plan));
  if (!isForPeople(options)) return;
  io.note(
    out === undefined
      ? "\nNothing was run, and the plan was not kept: --out FILE writes it to a file.\n"
      : `\nNothing was run. To run exactly this: platformctl actions apply ${printableLine(out)}\n`,
  );
}

type ApplyOptions = WaitOptions & { yes?: boolean; queue?: boolean; breakGlass?: string };

/** Returns 0, 1 or 8 as `commands wait` does. */
export async function applyPlan(invocation: Invocation): Promise<number> {
  const { io, args, signal } = invocation;
  const options = invocation.options as unknown as ApplyOptions;
  refuseWaitAndDetach(options);
  const plan = await readPlan(invocation, args[0] ?? "");
  const { action, service, agent } = plan;
  const api = await invocation.client();
  const agreed = !action.requiresConfirmation || (options.yes ?? false);
  const bypasses = !agreed && options.breakGlass !== undefined;
  const policies = bypasses ? await policiesFor(api, service.id, action.name) : [];
  const what = `Run ${action.name} (${action.dangerLevel}) on ${service.code} of ${agent.code}`;
  const question = runQuestion(what, options, policies);
  if (!agreed && canAsk(io)) io.note(`${partsOf(io, plan).join("")}\n`);
  await confirmOrRefuse(io, question, agreed);
  const created = await api.call("plans.apply", {
    query: { queue: options.queue ?? false },
    body: {
      plan: { ...plan },
      confirmation: action.requiresConfirmation,
      ...givenBypass(options),
    },
  });
  const { exitStatus, command: ended } = await waitUnlessDetached({
    io,
    api,
    signal,
    options,
    created,
  });
  if (ended?.errorCode === "STATE_CHANGED") {
    const text = `Nothing was run. To make a new plan: platformctl actions plan ${service.code} ${action.name}`;
    noteLast(io, options, "STATE_CHANGED", text);
  }
  return exitStatus;
}

function partsOf(io: Io, { action, currentState, payload }: Plan): string[] {
  const { label, name, description } = action;
  const about = [label === name ? "" : label, description].filter(Boolean).join("\n");
  return [
    about === "" ? "" : `\n${printableText(about)}\n`,
    currentState === null ? "" : valueSection(io, "current state", currentState),
    section("payload", payload),
  ];
}
