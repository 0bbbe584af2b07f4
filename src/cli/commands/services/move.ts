import { nouns } from "../../../api/contract/nouns.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { callNamed } from "../../names/resolve.ts";
import { printService } from "./show.ts";

export async function moveService({ io, args, options, client }: Invocation): Promise<void> {
  const { to } = options as { to?: string };
  if (to === undefined)
    throw usageError("--to AGENT is missing: the agent that the service moves to.");
  const api = await client();
  const service = await callNamed(api, nouns.services, args[0] ?? "", (serviceId) =>
    callNamed(api, nouns.agents, to, (agentId) =>
      api.call("services.move", { params: { serviceId }, body: { agentId } }),
    ),
  );
  printService(io, options, service);
}
