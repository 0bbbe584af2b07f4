import { z } from "zod";
import { agentStatuses } from "../../domain/fleet/agents.ts";
import { causes } from "../../domain/fleet/attention.ts";
import { effectiveStatuses } from "../../domain/fleet/services.ts";
import { scheduleStates } from "../../domain/schedules/schedules.ts";
import { named } from "../contract/schema-names.ts";
import { countsOf, timestamp } from "../contract/schemas.ts";

export const agentStatus = named(
  "AgentStatus",
  z
    .enum(agentStatuses)
    .describe(
      "ONLINE: the agent calls the server regularly. OFFLINE: it does not. DISABLED: an operator has disabled the agent.",
    ),
);
export const agentCounts = named(
  "AgentCounts",
  countsOf(agentStatuses).describe("The number of agents by status."),
);

export const serviceStatus = named(
  "ServiceStatus",
  z
    .enum(effectiveStatuses)
    .describe(
      "HEALTHY, UNHEALTHY and UNKNOWN follow from the reported health. STALE: the service was not " +
        "reported, or its agent did not call, for too long. OFFLINE: the agent was stopped, is " +
        "disabled, has no valid token, or did not call for even longer.",
    ),
);
export const serviceCounts = named(
  "ServiceCounts",
  countsOf(effectiveStatuses).describe("The number of services by status."),
);

export const problemCause = named("ProblemCause", z.enum(causes));

export const scheduleCounts = named(
  "ScheduleCounts",
  countsOf(scheduleStates).describe("The number of schedules by state."),
);

export const removedAt = timestamp
  .nullable()
  .describe(
    "When the agent reported that it no longer manages the service. Null while the agent " +
      "manages the service.",
  );

export const statusSince = timestamp
  .nullable()
  .describe(
    "When the service got this status. Null until the next maintenance sweep stores the change.",
  );
