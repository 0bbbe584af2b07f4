// `platformctl services …`

import type { QueryInput, ReplyData } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { AppError } from "../../domain/errors.ts";
import type { Invocation } from "../command.ts";
import { CliError, exit, usageError } from "../exit.ts";
import { resolveAgent, resolveService } from "../names/resolve.ts";
import { printPages } from "../output/listing.ts";
import { type ListView, type OutputOptions, printOne, section } from "../output/output.ts";
import { relativeTime } from "../output/relative-time.ts";
import type { Io } from "../terminal/io.ts";
import { confirmOrRefuse } from "../terminal/prompts.ts";
import { deletedView } from "./deleted.ts";

type Service = ReplyData<Routes["services.list"]>[number];
type ServiceDetail = ReplyData<Routes["services.get"]>;
type Query = NonNullable<QueryInput<Routes["services.list"]>>;

const view: ListView<Service> = {
  columns: [
    { name: "code", value: (service) => service.code, kind: "key" },
    { name: "status", value: (service) => service.status, kind: "state" },
    { name: "version", value: (service) => service.version },
    { name: "agent", value: (service) => service.agentCode },
    { name: "reported", value: (service) => service.lastReportedAt, kind: "time" },
    { name: "message", value: (service) => service.healthMessage },
    { name: "name", value: (service) => service.name, wide: true },
    { name: "health", value: (service) => service.healthStatus, wide: true },
    { name: "stored", value: (service) => service.storedStatus, kind: "state", wide: true },
    { name: "id", value: (service) => service.id, kind: "key", wide: true },
  ],
  nameOf: (service) => service.code,
  whenEmpty: "No services. They appear when an agent reports them.",
};

export async function listServices(invocation: Invocation): Promise<void> {
  const { status, health, agent, search } = invocation.options as Record<
    string,
    string | undefined
  >;
  const api = await invocation.client();
  const agentId = agent === undefined ? undefined : await resolveAgent(api, agent);
  const filters = { status, healthStatus: health, agentId, q: search };
  await printPages(invocation, view, filters, (page) =>
    api.page("services.list", { query: { ...page, ...filters } as Query }),
  );
}

export async function getService({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const serviceId = await resolveService(api, args[0] ?? "");
  const service = await api.call("services.get", { params: { serviceId } });
  printService(io, options as OutputOptions, service);
}

export async function deleteService({ io, args, options, client }: Invocation): Promise<void> {
  const api = await client();
  const serviceId = await resolveService(api, args[0] ?? "");
  const { code, agentCode } = await api.call("services.get", { params: { serviceId } });
  const question = `Delete ${code} of ${agentCode}? Its commands stay.`;
  await confirmOrRefuse(io, question, options.yes === true);
  const deleted = await api.call("services.delete", { params: { serviceId } });
  printOne(io, options as OutputOptions, deleted, deletedView);
}

export async function moveService({ io, args, options, client }: Invocation): Promise<void> {
  const { to } = options as { to?: string };
  if (to === undefined) throw usageError("--to is missing: the agent that gets the service.");
  const api = await client();
  const serviceId = await resolveService(api, args[0] ?? "");
  const agentId = await resolveAgent(api, to);
  const call = { params: { serviceId }, body: { agentId } };
  const service = await api.call("services.move", call).catch(refusedMove);
  printService(io, options as OutputOptions, service);
}

/** The agent is not there: unlike a command, a move cannot wait for it. */
function refusedMove(error: unknown): never {
  const codes = ["AGENT_OFFLINE", "AGENT_DISABLED"];
  if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
  const { code, message, details = {} } = error;
  throw new CliError(exit.conflict, message, { code, details });
}

export function printService(io: Io, options: OutputOptions, service: ServiceDetail): void {
  printOne(io, options, service, view, () => catalogOf(service) + claimsOf(service, io.now()));
}

function claimsOf({ code, claims = [] }: ServiceDetail, now: number): string {
  // An older server leaves them out.
  if (claims.length === 0) return "";
  const lines = claims.map(({ agentCode, since }) => {
    return `${agentCode} also reports this service, since ${relativeTime(since, now)}, and is refused`;
  });
  const remedy = `Move it: platformctl services move ${code} --to ${claims[0]?.agentCode}`;
  return section("claims", [...lines, remedy].join("\n"));
}

/** Where an agent can tell no value, it may tell the reason in `source`. */
function valueOfConfig(config: ServiceDetail["configs"][number]): string {
  if (config.sensitive) return "(sensitive)";
  if (config.valuePreview !== undefined) return JSON.stringify(config.valuePreview);
  return `(no value; ${config.source ?? "no source"})`;
}

function catalogOf(service: ServiceDetail): string {
  const actions = service.actions.map((action) => {
    const confirm = action.requiresConfirmation ? ", asks for confirmation" : "";
    return `${action.name}  (${action.dangerLevel}${confirm})  ${action.description || action.label}`;
  });
  const configs = service.configs.map((config) => `${config.key} = ${valueOfConfig(config)}`);
  return (
    (actions.length > 0 ? section("actions", actions.join("\n")) : "") +
    (configs.length > 0 ? section("configs", configs.join("\n")) : "") +
    (service.healthDetails === null ? "" : section("health details", service.healthDetails))
  );
}
