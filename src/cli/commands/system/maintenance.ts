import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { printOne, type View } from "../../output/output.ts";

type Report = Reply<"maintenance.run">;

const view: View<Report> = {
  columns: [
    { name: "agents gone offline", value: (report) => report.agentsOffline },
    { name: "statuses stored", value: (report) => report.serviceStatusesStored },
    { name: "commands expired", value: (report) => report.commandsExpired },
    { name: "tokens expired", value: (report) => report.registrationTokensExpired },
    { name: "sessions ended", value: (report) => report.sessionsEnded },
    { name: "audit events pruned", value: (report) => report.auditEventsPruned },
    { name: "bus events pruned", value: (report) => report.busEventsPruned },
    { name: "commands pruned", value: (report) => report.commandsPruned },
    { name: "rollouts pruned", value: (report) => report.rolloutsPruned },
    { name: "approvals pruned", value: (report) => report.approvalsPruned },
    { name: "schedule runs pruned", value: (report) => report.scheduleRunsPruned },
    { name: "service periods pruned", value: (report) => report.servicePeriodsPruned },
    { name: "credentials pruned", value: (report) => report.credentialsPruned },
    { name: "agents deleted", value: (report) => report.agentsDeleted },
    { name: "services deleted", value: (report) => report.servicesDeleted },
    { name: "took", value: (report) => `${report.durationMs} ms` },
  ],
  nameOf: (report) => String(report.durationMs),
};

export async function runMaintenance({ io, options, client }: Invocation): Promise<void> {
  const { trustClock } = options as { trustClock?: boolean };
  const body = trustClock ? { trustClock } : {};
  const report = await (await client()).call("maintenance.run", { body });
  printOne(io, options, report, view);
}
