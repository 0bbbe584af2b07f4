// A managed service as an agent reports it. Parsing sets defaults, accepts both forms of health, and
// drops sensitive values.

import { z } from "zod";
import {
  actionOrderMax,
  actionTimeoutSeconds,
  categoryMaxLength,
  inputSchemaMaxBytes,
  maxActionsPerService,
  maxConfigsPerService,
} from "../../domain/limits.ts";
import { actionNamePattern, hiddenCategories } from "../../domain/services.ts";
import { listOf } from "../contract/bounded.ts";
import { namedObject } from "../contract/schema-names.ts";
import { code, dangerLevel, json, jsonObject, labels } from "../contract/schemas.ts";

const configEntry = namedObject("ReportedConfig", {
  key: z.string().min(1).max(200),
  label: z.string().max(200).optional(),
  type: z.string().min(1).max(50),
  source: z.string().max(200).optional(),
  editable: z.boolean().default(false),
  sensitive: z.boolean().default(false),
  valuePreview: json.optional(),
  defaultValue: json.optional(),
  secretRef: z.string().max(500).optional(),
});

export const actionName = z.string().regex(actionNamePattern, {
  error: "must start with a letter or digit and contain only letters, digits and . _ : -",
});

export const actionCategory = z.string().min(1).max(categoryMaxLength);
export const actionOrder = z.int().min(-actionOrderMax).max(actionOrderMax);

const actionEntry = namedObject("ReportedAction", {
  name: actionName,
  label: z.string().max(200).optional(),
  description: z.string().max(2000).default(""),
  category: actionCategory.optional(),
  order: actionOrder.optional(),
  hidden: z
    .boolean()
    .optional()
    .describe(
      "Leaves the action out of lists and menus. Default: true for the categories `row-action` and " +
        "`page-action`.",
    ),
  dangerLevel: dangerLevel.default("LOW"),
  requiresConfirmation: z.boolean().optional(),
  timeoutSeconds: z.int().min(1).max(actionTimeoutSeconds.max).optional(),
  inputSchema: jsonObject
    .refine((schema) => utf8Length(JSON.stringify(schema)) <= inputSchemaMaxBytes, {
      error: `must be at most ${inputSchemaMaxBytes / 1024} KiB`,
    })
    .default({}),
  prepare: z
    .boolean()
    .default(true)
    .describe(
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
  status: z.string().min(1).max(50),
  message: z.string().max(500).optional(),
  details: json.optional(),
});

export const reportedService = namedObject("ReportedService", {
  code,
  name: z.string().min(1).max(200),
  version: z.string().min(1).max(100),
  description: z.string().max(2000).optional(),
  runtime: json.optional(),
  labels: labels
    .default({})
    .describe(
      "Selectors find the service by these and by the labels of its agent; these win. Labels that " +
        "an owner has assigned win over both.",
    ),
  healthStatus: z.string().min(1).max(50).nullish(),
  health: health.optional(),
  configs: listOf(configEntry, maxConfigsPerService)
    .refine(distinct("key"), { error: "two entries have the same key" })
    .default([]),
  actions: listOf(actionEntry, maxActionsPerService)
    .refine(distinct("name"), { error: "two entries have the same name" })
    .default([]),
  manifest: json.optional(),
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

function withoutSensitiveValue(entry: z.output<typeof configEntry>): z.output<typeof configEntry> {
  if (!entry.sensitive) return entry;
  const { valuePreview: _value, defaultValue: _default, ...kept } = entry;
  return kept;
}

function distinct<K extends string>(field: K): (items: Record<K, string>[]) => boolean {
  return (items) => new Set(items.map((item) => item[field])).size === items.length;
}
