// Writes the table of routes down as an OpenAPI 3.1 document.
// (docs/decisions/0002-contract.md)

import { z } from "zod";
import { contractVersion } from "../../domain/contract-version.ts";
import { type ErrorCode, errorCodes } from "../../domain/errors.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import type { Access } from "../../domain/principals.ts";
import { routes } from "../index.ts";
import { statusOf } from "./error-status.ts";
import { busLabel, type RouteSpec, replayedHeader } from "./route.ts";

const security: Record<Access, JsonObject[]> = {
  public: [],
  registration: [{ registrationToken: [] }, {}],
  agent: [{ agentToken: [] }],
  viewer: [{ session: [] }, { apiKey: [] }],
  operator: [{ session: [] }, { apiKey: [] }],
  owner: [{ session: [] }, { apiKey: [] }],
};

export function buildOpenApi(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, spec] of Object.entries<RouteSpec>(routes)) {
    for (const [index, path] of [spec.path, ...(spec.aliases ?? [])].entries()) {
      const key = path.replace(/:(\w+)/g, "{$1}");
      const operationId = index === 0 ? name : `${name}~${index + 1}`;
      paths[key] = {
        ...paths[key],
        [spec.method.toLowerCase()]: operationOf(operationId, spec, path),
      };
    }
  }
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "Agent management service",
      version: contractVersion,
      description:
        "Agents register, report and poll; operators see services and run their actions.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: { schemas: { Error: errorSchema, Pagination: paginationSchema }, securitySchemes },
  };
}

function operationOf(operationId: string, spec: RouteSpec, path: string): JsonObject {
  const tag = operationId.split(".")[0] ?? "";
  return {
    operationId,
    tags: [tag],
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    "x-access": spec.access,
    security: security[spec.access],
    parameters: [
      ...pathParameters(spec, path),
      ...queryParameters(spec),
      ...(spec.idempotent ? [keyParameter] : []),
    ],
    ...(spec.body ? { requestBody: requestBodyOf(spec.body, spec.bodyTypes) } : {}),
    responses: responsesOf(spec),
    ...(spec.websocket
      ? { "x-websocket-message": { schema: schemaOf(spec.reply, "output") } }
      : {}),
  };
}

function pathParameters(spec: RouteSpec, path: string): JsonObject[] {
  if (!spec.params) return [];
  const schema = schemaOf(spec.params, "input");
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties)
    .filter(([name]) => path.includes(`:${name}`))
    .map(([name, property]) => ({ name, in: "path", required: true, schema: property }));
}

function queryParameters(spec: RouteSpec): JsonObject[] {
  if (!spec.query) return [];
  const schema = schemaOf(spec.query, "input");
  const required = (schema.required ?? []) as string[];
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
    ([name, { description, ...property }]) => ({
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }),
  );
}

function requestBodyOf(body: z.ZodType, otherTypes: readonly string[] = []): JsonObject {
  const schema = schemaOf(body, "input");
  const required = Array.isArray(schema.required) && schema.required.length > 0;
  const content = ["application/json", ...otherTypes].map((type) => [type, { schema }]);
  return { required, content: Object.fromEntries(content) };
}

function responsesOf(spec: RouteSpec): JsonObject {
  const success = spec.websocket
    ? { description: "The WebSocket is open", headers: commonHeaders }
    : { description: "Success", headers: successHeaders(spec), ...contentOf(spec) };
  const responses: JsonObject = {
    [String(spec.websocket ? 101 : (spec.status ?? 200))]: success,
  };
  if (spec.fixed) responses["304"] = { description: "Not changed", headers: commonHeaders };
  if (spec.otherStatus) responses[String(spec.otherStatus)] = success;
  for (const [status, codes] of errorsByStatus(spec)) {
    if (responses[status]) continue;
    responses[status] = {
      description: codes.join(", "),
      headers: status === "429" || status === "503" ? retryHeaders : commonHeaders,
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return responses;
}

function successHeaders(spec: RouteSpec): JsonObject {
  const own = Object.entries(spec.headers ?? {}).map(([name, description]) => [
    name,
    { schema: { type: "string" }, description },
  ]);
  const replayed = spec.idempotent ? { [replayedHeader]: replayedHeaderSpec } : {};
  return { ...commonHeaders, ...replayed, ...Object.fromEntries(own) };
}

function contentOf(spec: RouteSpec): JsonObject {
  if (spec.produces) {
    const content = spec.produces.map((type) => [type, { schema: { type: "string" } }]);
    return { content: Object.fromEntries(content) };
  }
  const data = schemaOf(spec.reply, "output");
  if (spec.raw) return { content: { "application/json": { schema: data } } };
  const properties: JsonObject = { success: { const: true }, data };
  if (spec.paginated) properties.pagination = { $ref: "#/components/schemas/Pagination" };
  if (spec.bus) properties.experimental = { const: busLabel };
  const schema = { type: "object", required: Object.keys(properties), properties };
  return { content: { "application/json": { schema } } };
}

/** Every code that the route can answer, by status: its own and those that its form implies. */
function errorsByStatus(spec: RouteSpec): [string, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([...(spec.errors ?? []), "INVALID_REQUEST", "MISDIRECTED_HOST"]);
  codes.add("INTERNAL_ERROR").add("UNAVAILABLE");
  if (spec.params || spec.query || spec.body) codes.add("VALIDATION_FAILED");
  if (spec.method !== "GET") {
    codes.add("INVALID_JSON").add("UNSUPPORTED_MEDIA_TYPE").add("PAYLOAD_TOO_LARGE");
  }
  if (spec.access !== "public") codes.add("UNAUTHORIZED").add("RATE_LIMITED");
  if (spec.bus) codes.add("CAPSULE_BUS_DISABLED");
  if (spec.idempotent) codes.add("INVALID_REQUEST").add("IDEMPOTENCY_KEY_REUSED");
  if (typeof spec.idempotent === "object") codes.add("IDEMPOTENCY_SECRET_GONE");
  if (spec.access === "agent") codes.add("AGENT_DISABLED").add("FORBIDDEN");
  if (spec.access !== "public" && spec.access !== "registration" && spec.access !== "agent") {
    codes.add("FORBIDDEN").add("CSRF_INVALID");
  }
  const byStatus = new Map<string, ErrorCode[]>();
  for (const code of errorCodes.filter((known) => codes.has(known))) {
    const status = String(statusOf(code, spec.access));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus.entries()].sort(([a], [b]) => a.localeCompare(b));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    // Answers may grow: more fields never break a reader.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return rest as JsonObject;
}

const commonHeaders: JsonObject = {
  "X-Request-Id": { schema: { type: "string" }, description: "Names this call in the logs." },
};

const keyParameter: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the call safe to repeat: for 24 hours the same caller gets the first answer again.",
  schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
};

const replayedHeaderSpec: JsonObject = {
  schema: { const: "true" },
  description: "Present when this answer was given before to the same Idempotency-Key.",
};

const retryHeaders: JsonObject = {
  ...commonHeaders,
  "Retry-After": { schema: { type: "integer" }, description: "Seconds after which it may work." },
};

const errorSchema: JsonObject = {
  type: "object",
  required: ["success", "error"],
  properties: {
    success: { const: false },
    error: {
      type: "object",
      required: ["code", "message", "requestId"],
      properties: {
        code: { type: "string", enum: [...errorCodes] as Json[] },
        message: { type: "string" },
        details: { type: "object" },
        requestId: { type: ["string", "null"] },
      },
    },
  },
};

const paginationSchema: JsonObject = {
  type: "object",
  required: ["page", "pageSize", "total"],
  properties: {
    page: { type: "integer", minimum: 1 },
    pageSize: { type: "integer", minimum: 1 },
    total: { type: "integer", minimum: 0 },
    totalIsLowerBound: {
      const: true,
      description:
        "There are as many or more: a long list is not counted to its end. Absent: exact.",
    },
    next: {
      type: "string",
      description:
        "Give it as `before` to go on behind this page, as far back as you like; in an answer to `afterSeq`, give it " +
        "as `afterSeq`. Absent at the end.",
    },
    searchedTo: {
      type: "string",
      format: "date-time",
      description:
        "The search ended at this time, because the filters let few of many rows through: older ones (with " +
        "`afterSeq`, newer ones) may fit. Go on with `next`, or narrow the filters.",
    },
  },
};

const securitySchemes: JsonObject = {
  registrationToken: { type: "http", scheme: "bearer", description: "platform_reg_…, single-use" },
  agentToken: { type: "http", scheme: "bearer", description: "platform_agent_…" },
  apiKey: { type: "http", scheme: "bearer", description: "platform_key_…" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "platform_session",
    description:
      "Named __Host-platform_session over HTTPS. Calls other than GET also send X-CSRF-Token.",
  },
};
