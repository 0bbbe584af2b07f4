import { type Access, isForOperators } from "../../domain/access/principals.ts";
import { contractVersion } from "../../domain/contract-version.ts";
import { type ErrorCode, errorCodes, statusOf } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { capitalized } from "../../lib/capitalized.ts";
import { routes } from "../index.ts";
import { Components, headerRefs, refTo, securitySchemes } from "./openapi-components.ts";
import { type RouteSchemas, schemasOf } from "./openapi-schemas.ts";
import { busLabel, type RouteSpec, replayedHeader } from "./route.ts";
import { parameterNames } from "./schema-names.ts";

const security: Record<Access, JsonObject[]> = {
  public: [],
  registration: [{ registrationToken: [] }, {}],
  agent: [{ agentToken: [] }],
  viewer: [{ session: [] }, { apiKey: [] }],
  operator: [{ session: [] }, { apiKey: [] }],
  owner: [{ session: [] }, { apiKey: [] }],
};

interface Source {
  name: string;
  spec: RouteSpec;
  schemas: RouteSchemas;
  components: Components;
}

export function buildOpenApi(): JsonObject {
  const components = new Components();
  const schemas = schemasOf(routes, components);
  const paths: Record<string, JsonObject> = {};
  for (const [name, spec] of Object.entries<RouteSpec>(routes)) {
    const source = { name, spec, schemas: schemas[name] as RouteSchemas, components };
    for (const [index, path] of [spec.path, ...(spec.aliases ?? [])].entries()) {
      const key = path.replace(/:(\w+)/g, "{$1}");
      const operationId = index === 0 ? name : `${name}~${index + 1}`;
      paths[key] = {
        ...paths[key],
        [spec.method.toLowerCase()]: operationOf(operationId, source, path),
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
        "Agents register, report their services and poll for commands. Operators see the services and " +
        "run their actions.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: { ...components.toJson(), securitySchemes },
  };
}

function operationOf(operationId: string, source: Source, path: string): JsonObject {
  const { spec, schemas } = source;
  const tag = operationId.split(".")[0] ?? "";
  return {
    operationId,
    tags: [tag],
    summary: spec.summary,
    ...(spec.description ? { description: spec.description } : {}),
    "x-access": spec.access,
    security: security[spec.access],
    parameters: [
      ...pathParameters(source, path),
      ...queryParameters(source),
      ...(spec.idempotent ? [refTo("parameters", "IdempotencyKey")] : []),
    ],
    ...(schemas.body ? { requestBody: requestBodyOf(source, schemas.body) } : {}),
    responses: responsesOf(source),
    ...(spec.websocket ? { "x-websocket-message": { schema: schemas.reply } } : {}),
  };
}

function pathParameters({ schemas, components }: Source, path: string): JsonObject[] {
  const properties = (schemas.params?.properties ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties)
    .filter(([name]) => path.includes(`:${name}`))
    .map(([name, { description, ...schema }]) => {
      const described = description ? { description } : {};
      const parameter = { name, in: "path", required: true, ...described, schema };
      return components.add("parameters", capitalized(name), parameter);
    });
}

function queryParameters({ spec, schemas, components }: Source): JsonObject[] {
  const { properties = {}, required = [] } = (schemas.query ?? {}) as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const parameter = {
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
    };
    const key = spec.query && parameterNames.get(spec.query.shape[name]);
    return key ? components.add("parameters", key, parameter) : parameter;
  });
}

function requestBodyOf({ name, spec, components }: Source, schema: JsonObject): JsonObject {
  const { required } = components.get("schemas", nameIn(schema, name)) as { required?: string[] };
  const content = ["application/json", ...(spec.bodyTypes ?? [])].map((type) => [type, { schema }]);
  return { required: required !== undefined, content: Object.fromEntries(content) };
}

function responsesOf(source: Source): JsonObject {
  const { spec, components } = source;
  const success = spec.websocket
    ? { description: "The WebSocket is open.", headers: headerRefs("X-Request-Id") }
    : { description: "Success.", headers: successHeaders(spec), ...contentOf(source) };
  const responses: JsonObject = {
    [String(spec.websocket ? 101 : (spec.status ?? 200))]: success,
  };
  if (spec.fixed) {
    responses["304"] = { description: "Not modified.", headers: headerRefs("X-Request-Id") };
  }
  if (spec.otherStatus) responses[String(spec.otherStatus)] = success;
  for (const [status, codes] of errorsByStatus(spec)) {
    responses[status] ??= errorResponse(status, codes, components);
  }
  return responses;
}

/** A response with one or two codes becomes a component that is named after them. */
function errorResponse(status: string, codes: ErrorCode[], components: Components): JsonObject {
  const isRetryable = status === "429" || status === "503";
  const response = {
    description: codes.join(", "),
    headers: isRetryable ? headerRefs("X-Request-Id", "Retry-After") : headerRefs("X-Request-Id"),
    content: { "application/json": { schema: refTo("schemas", "ErrorResponse") } },
  };
  if (codes.length > 2) return response;
  return components.add("responses", codes.map(inPascalCase).join("Or"), response);
}

function inPascalCase(code: ErrorCode): string {
  const words = code.split("_").map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`);
  return words.join("");
}

function successHeaders(spec: RouteSpec): JsonObject {
  const own = Object.entries(spec.headers ?? {}).map(([name, description]) => [
    name,
    { schema: { type: "string" }, description },
  ]);
  const replayed = spec.idempotent ? headerRefs(replayedHeader) : {};
  return { ...headerRefs("X-Request-Id"), ...replayed, ...Object.fromEntries(own) };
}

function contentOf({ name, spec, schemas, components }: Source): JsonObject {
  if (spec.produces) {
    const content = spec.produces.map((type) => [type, { schema: { type: "string" } }]);
    return { content: Object.fromEntries(content) };
  }
  const data = schemas.reply;
  if (spec.fixed) return { content: { "application/json": { schema: data } } };
  const properties: JsonObject = { success: { const: true }, data };
  if (spec.paginated) properties.pagination = refTo("schemas", "Pagination");
  if (spec.bus) properties.experimental = { const: busLabel };
  const envelope = { type: "object", required: Object.keys(properties), properties };
  const item = data.type === "array" ? (data.items as JsonObject) : data;
  const form = spec.paginated ? "Page" : data.type === "array" ? "List" : "";
  const schema = components.add("schemas", `${nameIn(item, name)}${form}Response`, envelope);
  return { content: { "application/json": { schema } } };
}

/** Bodies and replies must be named, because generated clients name types after them. */
function nameIn({ $ref }: JsonObject, route: string): string {
  if (typeof $ref !== "string") throw new Error(`${route}: name the schema of its body and reply`);
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** Includes the errors that follow from the route's access and schemas. */
function errorsByStatus(spec: RouteSpec): [string, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([...(spec.errors ?? []), "INVALID_REQUEST", "MISDIRECTED_HOST"]);
  codes.add("INTERNAL_ERROR").add("UNAVAILABLE");
  if (spec.params || spec.query || spec.body) codes.add("VALIDATION_FAILED");
  if (spec.method !== "GET") {
    codes.add("INVALID_JSON").add("UNSUPPORTED_MEDIA_TYPE").add("PAYLOAD_TOO_LARGE");
  }
  if (spec.access !== "public") codes.add("UNAUTHORIZED").add("RATE_LIMITED");
  if (spec.workLimit !== undefined) codes.add("TOO_MUCH_WORK");
  if (spec.bus) codes.add("CAPSULE_BUS_DISABLED");
  if (spec.idempotent) codes.add("IDEMPOTENCY_KEY_REUSED");
  if (typeof spec.idempotent === "object") codes.add("IDEMPOTENCY_SECRET_GONE");
  if (spec.access === "agent") codes.add("AGENT_DISABLED").add("FORBIDDEN");
  if (isForOperators(spec.access)) codes.add("FORBIDDEN").add("CSRF_INVALID");
  const possible = errorCodes.filter((code) => codes.has(code));
  const byStatus = Map.groupBy(possible, (code) => String(statusOf(code, spec.access)));
  return [...byStatus].sort(([a], [b]) => a.localeCompare(b));
}
