import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { formatDuration } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { asksNoServer } from "../../connecting/asks-no-server.ts";
import { exit } from "../../exit.ts";
import { printOne, type View } from "../../output/output.ts";

type Health = Reply<"system.health">;

export async function health({ io, options, client }: Invocation): Promise<number> {
  const api = await client();
  const report = await api.call("system.health");
  printOne(io, options, report, viewFor(api));
  return report.status === "DOWN" ? exit.failed : exit.done;
}

function viewFor(api: Client): View<Health> {
  const answeredBy = asksNoServer(api)
    ? `this command, which works on ${api.target} without a server`
    : api.target;
  return {
    columns: [
      { name: "status", value: (health) => health.status, kind: "state" },
      { name: "reason", value: (health) => health.database.reason },
      { name: "problem", value: (health) => health.database.message },
      { name: "warning", value: (health) => health.database.warning },
      { name: "version", value: (health) => health.version },
      { name: "database", value: (health) => health.database.kind },
      { name: "latency", value: (health) => `${health.database.latencyMs} ms` },
      { name: "uptime", value: (health) => formatDuration(health.uptimeSeconds) },
      { name: "answered by", value: () => answeredBy },
    ],
    nameOf: (health) => health.status,
  };
}
