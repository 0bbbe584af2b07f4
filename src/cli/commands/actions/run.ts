import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { formText } from "../../form/form-text.ts";
import { runSeconds } from "../../options.ts";
import { isForPeople, printOne, section, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { resultSection } from "../../output/structured-result.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { noteLine } from "../../terminal/notes.ts";
import { askYesNo, canAsk, confirmOrRefuse, refuseUnanswerable } from "../../terminal/prompts.ts";
import { givenBypass, refuseWaitAndDetach, runQuestion } from "../../waiting-flags.ts";
import type { CommandDetail } from "../commands/show.ts";
import { type WaitOptions, waitUnlessDetached } from "../commands/wait.ts";
import { earlierRun } from "./earlier-run.ts";
import {
  askAgent,
  type FilledPayload,
  givenPayload,
  type PayloadOptions,
  type Prepared,
  payloadFor,
} from "./payload-source.ts";
import { findTarget, type Target } from "./target.ts";

type RunOptions = Omit<PayloadOptions, "timeout"> &
  WaitOptions & { reason?: string; requestId?: string; breakGlass?: string };

type Given = Omit<RunOptions, "payload"> & { payload?: string };

const preparedView: View<Prepared> = {
  columns: [
    { name: "action", value: (prepared) => prepared.action.name },
    { name: "danger", value: (prepared) => prepared.action.dangerLevel, kind: "state" },
    { name: "confirm", value: (prepared) => prepared.action.requiresConfirmation },
    { name: "command", value: (prepared) => prepared.command?.id },
  ],
  nameOf: (prepared) => prepared.command?.id ?? prepared.action.name,
};

export async function prepare(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const target = await findTarget(invocation);
  const prepared = await askAgent(target);
  const { currentState, initialPayload, inputSchema } = prepared;
  printOne(io, options, prepared, preparedView, () => [
    currentState === null
      ? ""
      : resultSection(io, "current state", currentState, target.service.code),
    formText(io, inputSchema, options.output === "wide"),
    section("initial payload", initialPayload),
  ]);
}

/** Returns 0, 1 or 8 as `commands wait` does. */
export async function runAction(invocation: Invocation): Promise<number> {
  const { io, signal } = invocation;
  const given = invocation.options as unknown as Given;
  refuseWaitAndDetach(given);
  const target = await findTarget(invocation);
  const { api } = target;
  if (given.payload === "-") await refuseUnconfirmed(target, given);
  const options: RunOptions = { ...given, payload: await givenPayload(invocation) };
  while (true) {
    const { created, preparingSeconds } =
      (await findEarlier(target, options)) ?? (await create(target, options));
    const wait = { io, api, signal, options, created, preparingSeconds };
    const { exitStatus, command: ended } = await waitUnlessDetached(wait);
    if (!(await startsOver(io, options, ended))) return exitStatus;
  }
}

/** Throws before somebody types a payload in vain, because nobody can answer afterwards. */
async function refuseUnconfirmed(target: Target, given: Given): Promise<void> {
  const { agreed, question } = await confirmationFor(target, given);
  if (!agreed) refuseUnanswerable({ interactive: false, hasReadStdin: true }, question);
}

/** If nothing was run because the state had changed, asks whether to start over. */
async function startsOver(io: Io, options: RunOptions, ended: CommandDetail | null) {
  if (ended?.errorCode !== "STATE_CHANGED" || !canAsk(io)) return false;
  // The same request id would find the same command.
  if (options.requestId !== undefined || !isForPeople(options)) return false;
  return askYesNo("The state has changed, so nothing was run. Start over with the new state?");
}

interface Created {
  created: Reply<"actions.execute">;
  /** This time counts towards `--timeout`. */
  preparingSeconds: number;
}

/** Returns null for `--payload` without `--if-unchanged`: the server compares such a payload. */
async function findEarlier(target: Target, options: RunOptions): Promise<Created | null> {
  const { requestId, payload, ifUnchanged } = options;
  if (requestId === undefined || (payload !== undefined && !ifUnchanged)) return null;
  const created = await earlierRun(target, requestId, options);
  if (!created) return null;
  const what = created.command ? "created the command" : "asked for approval";
  const text = `An earlier run with this request id ${what}.`;
  noteLine(target.io, options, "ALREADY_RUN", text);
  return { created, preparingSeconds: 0 };
}

type Confirming = Pick<RunOptions, "yes" | "breakGlass">;

/** `policies` is empty if the user has `agreed`, because nothing is asked then. */
async function confirmationFor({ api, service, action }: Target, options: Confirming) {
  const agreed = !action.requiresConfirmation || (options.yes ?? false);
  const policies = agreed ? [] : await policiesFor(api, service.id, action.name);
  const asks = policies.length > 0 && options.breakGlass === undefined;
  const what = `${action.name} (${action.dangerLevel}) on ${service.code} of ${service.agentCode}`;
  const question = asks
    ? `Ask for approval of ${what}?`
    : runQuestion(`Run ${what}`, options, policies);
  return { agreed, policies, asks, question };
}

async function create(target: Target, options: RunOptions): Promise<Created> {
  const { io } = target;
  const { agreed, policies, asks, question } = await confirmationFor(target, options);
  if (!agreed) refuseUnanswerable(io, question);
  const filled = await payloadFor(target, { ...options, timeout: options.timeout ?? runSeconds });
  const hasPayload = Object.keys(filled.shown).length > 0;
  if (!agreed && hasPayload) io.note(`${section("payload", filled.shown)}\n`);
  if (asks) io.note(`It needs approval (${printableLine(policies.join(", "))}).\n`);
  if (filled.ifUnchanged && io.interactive) {
    io.note("The agent runs it only if the state is still the same.\n");
  }
  await confirmOrRefuse(io, question, agreed);
  const { preparingSeconds } = filled;
  try {
    return { created: await execute(target, options, filled), preparingSeconds };
  } catch (error) {
    // A concurrent run with the same id may have created the command with other prepared values.
    const isReused = error instanceof AppError && error.code === "IDEMPOTENCY_KEY_REUSED";
    const earlier = isReused ? await findEarlier(target, options) : null;
    if (earlier) return earlier;
    throw error;
  }
}

/** Returns the name of the approval policy that applies to the action, if there is one. */
export async function policiesFor(
  api: Client,
  serviceId: string,
  action: string,
): Promise<string[]> {
  try {
    const { policy } = await api.call("approval-policies.test", { query: { serviceId, action } });
    return policy ? [policy.name] : [];
  } catch (error) {
    // An older server has no such route.
    if (error instanceof AppError && error.code === "NOT_FOUND") return [];
    throw error;
  }
}

async function execute(
  { api, service, action }: Target,
  { queue, reason, breakGlass }: RunOptions,
  { payload, prepareCommandId, ifUnchanged }: FilledPayload,
) {
  try {
    return await api.call("actions.execute", {
      params: { serviceId: service.id, actionName: action.name },
      query: { queue: queue ?? false },
      body: {
        payload,
        confirmation: action.requiresConfirmation,
        ...(prepareCommandId ? { prepareCommandId } : {}),
        ...(ifUnchanged ? { ifUnchanged } : {}),
        ...(reason ? { reason } : {}),
        ...givenBypass({ breakGlass }),
      },
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw new CliError(
      exit.interrupted,
      `interrupted while the command was being created. To see whether it was created: ` +
        `platformctl commands list --service ${service.code} --limit 1`,
      { code: "INTERRUPTED" },
    );
  }
}
