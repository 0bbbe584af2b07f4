import { errorCodes } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { replayedHeader } from "./route.ts";

type Kind = "schemas" | "parameters" | "responses" | "headers";

export function refTo(kind: Kind, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

const headers = {
  "X-Request-Id": {
    schema: { type: "string" },
    description: "The id of this request in the logs.",
  },
  [replayedHeader]: {
    schema: { const: "true" },
    description: "Present if this is the stored response to an earlier request with this key.",
  },
  "Retry-After": {
    schema: { type: "integer" },
    description: "The number of seconds to wait before a retry.",
  },
};

export function headerRefs(...names: (keyof typeof headers)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, refTo("headers", name)]));
}

const keyParameter: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes retries safe: for 24 hours, the same request with the same key from the same " +
    "caller returns the first response.",
  schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
};

const errorSchemas = {
  ErrorCode: { type: "string", enum: [...errorCodes] },
  ApiError: {
    type: "object",
    required: ["code", "message", "requestId"],
    properties: {
      code: refTo("schemas", "ErrorCode"),
      message: { type: "string", description: "A message for people. The wording can change." },
      details: { type: "object", description: "Further facts. The fields depend on the code." },
      requestId: {
        type: ["string", "null"],
        description: "The id of the request, which the server's log also contains.",
      },
    },
  },
  ErrorResponse: {
    type: "object",
    required: ["success", "error"],
    properties: { success: { const: false }, error: refTo("schemas", "ApiError") },
  },
};

const paginationSchema: JsonObject = {
  type: "object",
  required: ["page", "pageSize", "total"],
  properties: {
    page: {
      type: "integer",
      minimum: 1,
      description: "The number of this page. The first page is 1.",
    },
    pageSize: {
      type: "integer",
      minimum: 1,
      description: "The maximum number of items on a page.",
    },
    total: {
      type: "integer",
      minimum: 0,
      description: "The number of items on all pages together.",
    },
    totalIsLowerBound: {
      const: true,
      description:
        "True if the list has at least `total` items, because the server stops counting a " +
        "very long list. Absent if `total` is exact.",
    },
    next: {
      type: "string",
      description:
        "A cursor for the next page. Pass it as `before`, or as `afterSeq` if the request used " +
        "`afterSeq`. Absent on the last page.",
    },
    searchedTo: {
      type: "string",
      format: "date-time",
      description:
        "The time of the row where the search stopped, because it had read many rows of " +
        "which few matched. Older rows (with `afterSeq`, newer rows) may match, too. " +
        "Continue with `next`, or narrow the filters.",
    },
  },
};

export const securitySchemes: JsonObject = {
  registrationToken: { type: "http", scheme: "bearer", description: "platform_reg_…, single-use" },
  agentToken: { type: "http", scheme: "bearer", description: "platform_agent_…" },
  apiKey: { type: "http", scheme: "bearer", description: "platform_key_…" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "platform_session",
    description:
      "The name is `__Host-platform_session` over HTTPS. Requests other than GET must also send " +
      "`X-CSRF-Token`.",
  },
};

export class Components {
  private readonly kinds: Record<Kind, Map<string, JsonObject>> = {
    schemas: new Map(Object.entries({ ...errorSchemas, Pagination: paginationSchema })),
    parameters: new Map([["IdempotencyKey", keyParameter]]),
    responses: new Map(),
    headers: new Map(Object.entries(headers)),
  };

  /** Throws if the name already has different content. */
  add(kind: Kind, name: string, content: JsonObject): { $ref: string } {
    const before = this.kinds[kind].get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(content)) {
      throw new Error(`components.${kind}.${name} would have two contents: choose two names`);
    }
    this.kinds[kind].set(name, content);
    return refTo(kind, name);
  }

  get(kind: Kind, name: string): JsonObject | undefined {
    return this.kinds[kind].get(name);
  }

  toJson(): JsonObject {
    const sorted = Object.entries(this.kinds).map(([kind, contents]) => {
      const entries = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
      return [kind, Object.fromEntries(entries)];
    });
    return Object.fromEntries(sorted) as JsonObject;
  }
}
