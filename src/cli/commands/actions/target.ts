// The service and the action that the arguments of a command name.

import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { listedActions } from "../../../domain/fleet/services.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exit } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import type { Io } from "../../terminal/io.ts";

export type Service = Reply<"services.get">;
export type Action = Service["actions"][number];

export interface Target {
  io: Io;
  api: Client;
  signal: AbortSignal;
  service: Service;
  action: Action;
}

/** Throws ACTION_NOT_FOUND. */
export async function findTarget({ io, args, signal, client }: Invocation): Promise<Target> {
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
