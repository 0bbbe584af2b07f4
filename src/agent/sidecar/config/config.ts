// The schema of agent.yaml. It converts times to milliseconds, but leaves paths relative.

import { z } from "zod";
import { code, json, jsonObject, labels } from "../../../api/contract/schemas.ts";
import { actionCategory, actionName, actionOrder } from "../../../api/shapes/reported-service.ts";
import { agentModePattern } from "../../../domain/fleet/agents.ts";
import { dangerLevels } from "../../../domain/fleet/services.ts";
import {
  actionTimeoutSeconds,
  maxActionsPerService,
  maxConfigsPerService,
  maxServicesPerReport,
} from "../../../domain/limits.ts";
import { parseDurationSeconds } from "../../../lib/duration.ts";
import { hasMoreThanPlace } from "../../../lib/server-url.ts";

const text = z.string().min(1, { error: "must not be empty" });

const time = "must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d";
/** Fractions of a second must be written as a number: `0.5`. */
const duration = z.union([z.number(), z.string()], { error: time }).transform((value, context) => {
  const seconds = typeof value === "number" ? value : parseDurationSeconds(value);
  const isGood = seconds !== null && seconds > 0 && seconds <= actionTimeoutSeconds.max;
  if (isGood) return seconds * 1000;
  context.addIssue(time);
  return z.NEVER;
});
const wholeSeconds = duration.refine((milliseconds) => milliseconds % 1000 === 0, {
  error: "must be whole seconds, such as 10s or 1m30s",
});

const urlLike = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be a URL like ${example}` });
const httpUrl = urlLike("http://127.0.0.1:8080/health");
const serverUrl = urlLike("https://agents.example.com").refine((url) => !hasMoreThanPlace(url), {
  error: "must not contain a user name, ? or #",
});
const pointer = z.string().regex(/^(\/.*)?$/, { error: "must be a JSON Pointer such as /status" });
const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source, "u");
  } catch (error) {
    context.addIssue(`must be a regular expression: ${(error as Error).message}`);
    return z.NEVER;
  }
});

/** A header or token. It can be in agent.yaml, but is safer in the environment or another file. */
const secret = z.union(
  [
    text,
    z.strictObject({ env: text }),
    z.strictObject({ file: text, followLinks: z.boolean().optional() }),
  ],
  { error: "must be text, { env: NAME } or { file: PATH }" },
);
export type SecretSource = z.output<typeof secret>;

/** The program runs without a shell and with a restricted environment. */
const exec = z.strictObject({
  command: z.array(z.string()).min(1, { error: "must list a program and its arguments" }),
  /** Default: the folder of agent.yaml. */
  cwd: text.optional(),
  /** Variables in addition to PATH, HOME, LANG, TZ and the like. */
  env: z.record(text, z.string()).default({}),
  /** Names of the agent's own variables that the program also gets. */
  passEnv: z.array(text).default([]),
});
export type ExecConfig = z.output<typeof exec>;

const http = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
  url: httpUrl,
  headers: z.record(text, secret).default({}),
});
export type HttpConfig = z.output<typeof http>;

const httpProbe = http.omit({ method: true }).extend({
  /** Default: any from 200 to 299. */
  status: z.int().min(100).max(599).optional(),
  pointer: pointer.optional(),
  equals: json.optional(),
});

const tcpProbe = z.strictObject({
  host: text.default("127.0.0.1"),
  port: z.int().min(1).max(65_535),
});

const health = z
  .strictObject({
    http: httpProbe.optional(),
    tcp: tcpProbe.optional(),
    exec: exec.optional(),
    interval: duration.default(10_000),
    timeout: duration.default(5_000),
    failureThreshold: z.int().min(1).max(100).default(3),
    successThreshold: z.int().min(1).max(100).default(1),
  })
  .check(exactlyOne("http", "tcp", "exec"))
  .transform(inMilliseconds);
export type HealthConfig = z.output<typeof health>;

const askedVersion = z
  .strictObject({
    exec: exec.optional(),
    http: http.omit({ method: true }).extend({ pointer: pointer.optional() }).optional(),
    /** The version is the pattern's first group, or else the whole match. */
    pattern: pattern.optional(),
    interval: duration.default(60_000),
    timeout: duration.default(5_000),
  })
  .check(exactlyOne("exec", "http"))
  .transform(inMilliseconds);
const version = z.union([text.max(100), askedVersion], {
  error: "must be text, or a mapping with exec or http",
});
export type VersionConfig = z.output<typeof version>;

const configEntry = z
  .strictObject({
    key: text.max(200),
    label: z.string().max(200).optional(),
    type: text.max(50).optional(),
    editable: z.boolean().default(false),
    /** The agent does not read a sensitive value. */
    sensitive: z.boolean().default(false),
    secretRef: z.string().max(500).optional(),
    value: json.optional(),
    env: text.optional(),
    file: z
      .strictObject({
        path: text,
        pointer: pointer.default(""),
        /** Whether to follow links that users other than root and the agent's user made. */
        followLinks: z.boolean().default(false),
      })
      .optional(),
  })
  .check(exactlyOne("value", "env", "file"));
export type ConfigSource = z.output<typeof configEntry>;

const handler = z
  .strictObject({ exec: exec.optional(), http: http.optional() })
  .check(exactlyOne("exec", "http"));
export type HandlerConfig = z.output<typeof handler>;

/** A separate schema, so that one action can be checked in an otherwise invalid file. */
export const action = z
  .strictObject({
    name: actionName,
    label: z.string().max(200).optional(),
    description: z.string().max(2000).optional(),
    category: actionCategory.optional(),
    order: actionOrder.optional(),
    hidden: z.boolean().optional(),
    dangerLevel: z.enum(dangerLevels).optional(),
    requiresConfirmation: z.boolean().optional(),
    timeout: wholeSeconds.optional(),
    inputSchema: jsonObject.optional(),
    prepare: handler.optional(),
    execute: handler,
  })
  .transform(({ timeout, ...rest }) => ({
    ...rest,
    timeoutSeconds: timeout === undefined ? undefined : timeout / 1000,
  }));
export type ActionConfig = z.output<typeof action>;

const bus = z
  .strictObject({
    url: httpUrl,
    headers: z.record(text, secret).default({}),
    interval: duration.default(5_000),
    timeout: duration.default(10_000),
  })
  .transform(inMilliseconds);
export type BusConfig = z.output<typeof bus>;

const service = z.strictObject({
  code,
  name: text.max(200).optional(),
  description: z.string().max(2000).optional(),
  runtime: json.optional(),
  labels: labels.optional(),
  version,
  health: health.optional(),
  configs: z.array(configEntry).max(maxConfigsPerService).default([]),
  actions: z.array(action).max(maxActionsPerService).default([]),
  bus: bus.optional(),
});
export type ServiceConfig = z.output<typeof service>;

export const sidecarConfig = z.strictObject({
  server: serverUrl,
  caFile: text.optional(),
  /** Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
  proxy: urlLike("http://proxy.example.com:3128").optional(),
  insecureSkipTlsVerify: z.boolean().default(false),
  agent: z.strictObject({
    code,
    name: z.string().max(200).optional(),
    mode: z
      .string()
      .regex(agentModePattern, {
        error:
          "must start with a lowercase letter, and use only lowercase letters, digits, _ and -",
      })
      .default("sidecar"),
    version: z.string().max(100).optional(),
    labels: labels.optional(),
  }),
  registrationToken: secret.default({ env: "PLATFORM_REGISTRATION_TOKEN" }),
  stateDir: text,
  concurrency: z.int().min(1).max(64).optional(),
  /** Docker kills the agent 10 s after a stop signal. */
  stopGrace: duration.default(5_000),
  services: z
    .array(service)
    .min(1, { error: "must have at least one service" })
    .max(maxServicesPerReport),
});
export type SidecarConfig = z.output<typeof sidecarConfig>;

function inMilliseconds<T extends { interval: number; timeout: number }>(times: T) {
  const { interval: intervalMs, timeout: timeoutMs, ...rest } = times;
  return { ...rest, intervalMs, timeoutMs };
}

function exactlyOne(...fields: string[]) {
  const given = (value: unknown) =>
    fields.filter((field) => (value as Record<string, unknown>)[field] !== undefined);
  return z.refine<object>((value) => given(value).length === 1, {
    error: ({ input }) =>
      given(input).length === 0
        ? `must have one of ${fields.join(", ")}`
        : `must have only one of ${given(input).join(", ")}`,
  });
}
