// `platformctl actions …`: ask for the form, fill it in, confirm, run, wait, show.

import type { Routes } from "../../api/index.ts";
import type { ReplyData } from "../../api/route.ts";
import type { Client } from "../../client/client.ts";
import type { JsonObject } from "../../domain/json.ts";
import { prepareTimeoutSeconds } from "../../domain/limits.ts";
import type { Invocation } from "../command.ts";
import { CliError, exit } from "../exit.ts";
import type { Io } from "../io.ts";
import { type OutputOptions, printOne, section, type View } from "../output.ts";
import { applySettings, readPayload } from "../payload.ts";
import { startProgress } from "../progress.ts";
import { confirmOrRefuse, refuseWithoutTerminal } from "../prompts.ts";
import { resolveService } from "../resolve.ts";
import { awaitCommand, commandView, exitStatusOf, printCommand } from "./commands.ts";

type Service = ReplyData<Routes["services.get"]>;
type Action = Service["actions"][number];
type Prepared = ReplyData<Routes["actions.prepare"]>;

interface RunOptions extends OutputOptions {
  set?: string[];
  payload?: string;
  reason?: string;
  yes?: boolean;
  queue?: boolean;
  detach?: boolean;
  timeout: number;
}

const preparedView: View<Prepared> = {
  columns: [
    { name: "action", value: (prepared) => prepared.action.name },
    { name: "danger", value: (prepared) => prepared.action.dangerLevel, kind: "state" },
    { name: "confirm", value: (prepared) => prepared.action.requiresConfirmation },
    { name: "command", value: (prepared) => prepared.command.id },
  ],
  nameOf: (prepared) => prepared.command.id,
};

export async function prepare({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const { service, action } = await findAction(api, args);
  const prepared = await askAgent(io, api, service, action);
  printOne(
    io,
    options as OutputOptions,
    prepared,
    preparedView,
    () =>
      section("current state", prepared.currentState) +
      section("initial payload", prepared.initialPayload) +
      section("input schema", prepared.inputSchema),
  );
}

/**
 * Without `--payload`, starts from what the agent prepares and lays `--set` over it; with it, takes
 * the payload as it is. Ends 0, 1 or 8 as the command did.
 */
export async function runAction(invocation: Invocation): Promise<number> {
  const { io, args, client } = invocation;
  const options = invocation.options as unknown as RunOptions;
  const api = await client();
  const { service, action } = await findAction(api, args);
  const question = `Run ${action.name} (${action.dangerLevel}) on ${service.code}?`;
  const agreed = !action.requiresConfirmation || (options.yes ?? false);
  if (!agreed) refuseWithoutTerminal(io, question);
  const { payload, prepareCommandId } = await payloadFor(io, api, service, action, options);
  await confirmOrRefuse(io, question, agreed);
  const { command } = await api.call("actions.execute", {
    params: { serviceId: service.id, actionName: action.name },
    query: { queue: options.queue ?? false },
    body: {
      payload,
      confirmation: action.requiresConfirmation,
      ...(prepareCommandId ? { prepareCommandId } : {}),
      ...(options.reason ? { reason: options.reason } : {}),
    },
  });
  if (options.detach) {
    printOne(io, options, command, commandView);
    return exit.done;
  }
  const ended = await awaitCommand(io, api, command.id, options.timeout);
  printCommand(io, options, ended);
  return exitStatusOf(io, ended, options.timeout);
}

async function payloadFor(
  io: Io,
  api: Client,
  service: Service,
  action: Action,
  options: RunOptions,
): Promise<{ payload: JsonObject; prepareCommandId?: string }> {
  const settings = options.set ?? [];
  if (options.payload !== undefined) {
    return { payload: applySettings(await readPayload(io, options.payload), settings) };
  }
  // An agent that is away can prepare nothing; what it declared must do.
  if (options.queue) return { payload: applySettings({}, settings) };
  const prepared = await askAgent(io, api, service, action);
  const initial = prepared.initialPayload as JsonObject;
  return {
    payload: applySettings(initial, settings, prepared.inputSchema),
    prepareCommandId: prepared.command.id,
  };
}

async function askAgent(io: Io, api: Client, service: Service, action: Action): Promise<Prepared> {
  const progress = startProgress(io, `asking the agent of ${service.code} to prepare`);
  try {
    return await api.call(
      "actions.prepare",
      { params: { serviceId: service.id, actionName: action.name } },
      { timeoutMs: (prepareTimeoutSeconds.max + 30) * 1000 },
    );
  } finally {
    progress.stop();
  }
}

async function findAction(
  api: Client,
  args: string[],
): Promise<{ service: Service; action: Action }> {
  const [serviceText = "", actionName = ""] = args;
  const serviceId = await resolveService(api, serviceText);
  const service = await api.call("services.get", { params: { serviceId } });
  const action = service.actions.find((known) => known.name === actionName);
  if (action) return { service, action };
  const names = service.actions.map((known) => known.name).join(", ") || "none";
  throw new CliError(
    exit.notFound,
    `${service.code} declares no action ${actionName}; it has: ${names}.`,
    { code: "ACTION_NOT_FOUND" },
  );
}
