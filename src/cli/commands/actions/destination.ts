import { listedActions } from "../../../domain/fleet/services.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import type { Target } from "./payload-source.ts";

/** Finds the service and the action that the arguments name. Throws ACTION_NOT_FOUND. */
export async function findDestination({ io, args, signal, client }: Invocation): Promise<Target> {
  const [serviceText = "", actionName = ""] = args;
  const api = await client();
  const service = await getNamed(api, "services", serviceText);
  const action = service.actions.find((known) => known.name === actionName);
  if (action) return { io, api, signal, service, action };
  const listed = listedActions(service.actions);
  const names = listed.map((known) => known.name).join(", ") || "none";
  const message = `${service.code} declares no action ${actionName}; its actions are: ${names}.`;
  throw new CliError(exit.notFound, message, { code: "ACTION_NOT_FOUND" });
}
