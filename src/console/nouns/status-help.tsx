// Explains the statuses of services, beside the title of their list and beside a service's status.

import { byUrgency } from "../../domain/fleet/health-map.ts";
import { Help } from "../components/help.tsx";
import { texts } from "../texts/index.ts";
import { StatusBadge } from "../values/status-badge.tsx";
import "./status-help.css";

export function StatusHelp({ noun }: { noun: string }) {
  if (noun !== "services") return null;
  return (
    <Help of="statuses">
      <dl className="status-legend">
        {byUrgency.map((status) => (
          <div key={status}>
            <dt>
              <StatusBadge status={status} />
            </dt>
            <dd>{texts.help.statuses[status]}</dd>
          </div>
        ))}
      </dl>
    </Help>
  );
}
