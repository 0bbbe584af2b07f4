import { z } from "zod";
import { agentStatuses } from "../../domain/fleet/agents.ts";
import { causes } from "../../domain/fleet/attention.ts";
import { effectiveStatuses } from "../../domain/fleet/services.ts";
import { scheduleStates } from "../../domain/schedules/schedules.ts";
import { named } from "../contract/schema-names.ts";
import { countsOf, timestamp } from "../contract/schemas.ts";

export const agentStatus = named("AgentStatus", z.enum(agentStatuses));
export const agentCounts = named("AgentCounts", countsOf(agentStatuses));

export const serviceStatus = named("ServiceStatus", z.enum(effectiveStatuses));
export const serviceCounts = named("ServiceCounts", countsOf(effectiveStatuses));

export const problemCause = named("ProblemCause", z.enum(causes));

export const scheduleCounts = named("ScheduleCounts", countsOf(scheduleStates));

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
