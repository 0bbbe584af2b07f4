// `platformctl health`

import type { Routes } from "../../api/index.ts";
import type { ReplyData } from "../../api/route.ts";
import type { Invocation } from "../command.ts";
import { exit } from "../exit.ts";
import { type OutputOptions, printOne, type View } from "../output.ts";

type Health = ReplyData<Routes["system.health"]>;

const view: View<Health> = {
  columns: [
    { name: "status", value: (health) => health.status, kind: "state" },
    { name: "version", value: (health) => health.version },
    { name: "database", value: (health) => health.database.kind },
    { name: "latency", value: (health) => `${health.database.latencyMs} ms` },
    { name: "uptime", value: (health) => `${health.uptimeSeconds}s` },
  ],
  nameOf: (health) => health.status,
};

export async function health({ io, options, client }: Invocation): Promise<number> {
  const report = await (await client()).call("system.health");
  printOne(io, options as OutputOptions, report, view);
  return report.status === "DOWN" ? exit.failed : exit.done;
}
