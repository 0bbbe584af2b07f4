// A managed service as an agent reports it. Parsing sets defaults, accepts both forms of health,
// and drops sensitive values.

import { z } from "zod";
import {
  actionNamePattern,
  hiddenCategories,
  withoutSensitiveValue,
} from "../../domain/fleet/services.ts";
import {
  actionOrderMax,
  actionTimeoutSeconds,
  categoryMaxLength,
  inputSchemaMaxBytes,
  maxActionsPerService,
  maxConfigsPerService,
} from "../../domain/limits.ts";
import { listOf } from "../contract/bounded.ts";
import { optional, withDefault } from "../contract/optional.ts";
import { namedObject } from "../contract/schema-names.ts";
import { code, dangerLevel, json, jsonObject, labels } from "../contract/schemas.ts";

/** Says how the server reads the word that an agent sends as health. */
export const healthNote =
  "UP and HEALTHY mean good health. DEGRADED, DOWN and UNHEALTHY mean bad health. Any other word " +
  "counts as unknown.";

const configEntry = namedObject("ReportedConfig", {
  key: z.string().min(1).max(200).describe("The name of the config, unique in the service."),
  label: optional(z.string().max(200)).describe("The name that users see."),
  type: z.string().min(1).max(50).describe("The type of the value, such as `string` or `path`."),
  source: optional(z.string().max(200)).describe("Where the value comes from."),
  editable: withDefault(z.boolean(), false).describe(
    "Whether operators see the value as editable. Has no other effect.",
  ),
  sensitive: withDefault(z.boolean(), false).describe(
    "Whether the value is secret. The server stores no secret values.",
  ),
  valuePreview: optional(json).describe("The value. Do not send it if it is secret."),
  defaultValue: optional(json).describe("The default value. Do not send it if it is secret."),
  secretRef: optional(z.string().max(500)).describe("Where the secret value is stored."),
});

export const actionName = z.string().regex(actionNamePattern, {
  error: "must start with a letter or digit and contain only letters, digits and . _ : -",
});

export const actionCategory = z.string().min(1).max(categoryMaxLength);
export const actionOrder = z.int().min(-actionOrderMax).max(actionOrderMax);

const actionEntry = namedObject("ReportedAction", {
  name: actionName.describe("The name by which calls refer to the action."),
  label: optional(z.string().max(200)).describe("The name that users see; by default, `name`."),
  description: withDefault(z.string().max(2000), "").describe("What the action does."),
  category: optional(actionCategory).describe("The group in which lists show the action."),
  order: optional(actionOrder).describe(
    "The action's place in its category. Lower numbers come first.",
  ),
  hidden: optional(z.boolean()).describe(
    "Whether lists and menus leave the action out. By default, true for the categories " +
      "`row-action` and `page-action`, otherwise false.",
  ),
  dangerLevel: withDefault(dangerLevel, "LOW"),
  requiresConfirmation: optional(z.boolean()).describe(
    "Whether each call that runs the action must confirm it. By default, true if the danger " +
      "level is HIGH.",
  ),
  timeoutSeconds: optional(z.int().min(1).max(actionTimeoutSeconds.max)).describe(
    `How long the action may run; by default, ${actionTimeoutSeconds.default} seconds.`,
  ),
  inputSchema: withDefault(
    jsonObject.refine((schema) => utf8Length(JSON.stringify(schema)) <= inputSchemaMaxBytes, {
      error: `must be at most ${inputSchemaMaxBytes / 1024} KiB`,
    }),
    {},
  ).describe("The JSON Schema of the payload."),
  prepare: withDefault(z.boolean(), true).describe(
    "If false, the form is `inputSchema` with its defaults, and the agent receives prepare " +
      "commands only from older clients.",
  ),
}).transform((action) => ({
  ...action,
  label: action.label ?? action.name,
  hidden: action.hidden ?? hiddenCategories.includes(action.category),
  requiresConfirmation: action.requiresConfirmation ?? action.dangerLevel === "HIGH",
}));

const health = namedObject("ReportedHealth", {
  status: z.string().min(1).max(50).describe(healthNote),
  message: optional(z.string().max(500)).describe("The health message, for operators to read."),
  details: optional(json).describe("Further facts about the health, for operators to read."),
});

export const reportedService = namedObject("ReportedService", {
  code: code.describe("The service's permanent name, which is unique on the server."),
  name: z.string().min(1).max(200).describe("A name for people."),
  version: z.string().min(1).max(100).describe("The service's version, for operators to read."),
  description: optional(z.string().max(2000)).describe("What the service is for."),
  runtime: optional(json).describe("Any JSON, for operators to read."),
  labels: withDefault(labels, {}).describe(
    "Selectors match these labels, and the labels of the service's agent. If a service and " +
      "its agent have labels with the same key, the service's label is in effect. Labels that " +
      "an owner has assigned override reported labels.",
  ),
  healthStatus: z.string().min(1).max(50).nullish().describe("Overrides `health.status`."),
  health: optional(health).describe(
    "The health of the service. UNKNOWN if `healthStatus` is absent, too.",
  ),
  configs: withDefault(
    listOf(configEntry, maxConfigsPerService).refine(distinct("key"), {
      error: "two entries have the same key",
    }),
    [],
  ).describe("The service's configuration. The list replaces the one in the previous report."),
  actions: withDefault(
    listOf(actionEntry, maxActionsPerService).refine(distinct("name"), {
      error: "two entries have the same name",
    }),
    [],
  ).describe("The service's actions. The list replaces the one in the previous report."),
  manifest: optional(json).describe("Any JSON, for operators to read."),
}).transform(({ health: reported, healthStatus, ...service }) => ({
  ...service,
  healthStatus: healthStatus ?? reported?.status ?? null,
  healthMessage: reported?.message,
  healthDetails: reported?.details,
  configs: service.configs.map(withoutSensitiveValue),
}));

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

function distinct<K extends string>(field: K): (items: Record<K, string>[]) => boolean {
  return (items) => new Set(items.map((item) => item[field])).size === items.length;
}
