// The components of the OpenAPI document: each has one name and one content. Also those that no route
// describes: the error envelope, pagination, common headers, and credentials.

import { errorCodes } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { replayedHeader } from "./route.ts";

type Kind = "schemas" | "parameters" | "responses" | "headers";

export function refTo(kind: Kind, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

const headers = {
  "X-Request-Id": { schema: { type: "string" }, description: "Names this call in the logs." },
  [replayedHeader]: {
    schema: { const: "true" },
    description: "Present when this answer was given before to the same Idempotency-Key.",
  },
  "Retry-After": { schema: { type: "integer" }, description: "Seconds after which it may work." },
};

/** The headers of a response, as references. */
export function headerRefs(...names: (keyof typeof headers)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, refTo("headers", name)]));
}

const keyParameter: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes the call safe to repeat: for 24 hours the same caller gets the first answer again.",
  schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x21-\\x7e]+$" },
};

const errorSchemas = {
  ErrorCode: { type: "string", enum: [...errorCodes] },
  ApiError: {
    type: "object",
    required: ["code", "message", "requestId"],
    properties: {
      code: refTo("schemas", "ErrorCode"),
      message: { type: "string" },
      details: { type: "object" },
      requestId: { type: ["string", "null"] },
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

export const securitySchemes: JsonObject = {
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

/** The components so far: first those that no route describes. */
export class Components {
  private readonly kinds: Record<Kind, Map<string, JsonObject>> = {
    schemas: new Map(Object.entries({ ...errorSchemas, Pagination: paginationSchema })),
    parameters: new Map([["IdempotencyKey", keyParameter]]),
    responses: new Map(),
    headers: new Map(Object.entries(headers)),
  };

  /** Returns a reference. Throws if the name already has another content. */
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

  /** By kind and name, in alphabetical order. */
  toJson(): JsonObject {
    const sorted = Object.entries(this.kinds).map(([kind, contents]) => {
      const entries = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
      return [kind, Object.fromEntries(entries)];
    });
    return Object.fromEntries(sorted) as JsonObject;
  }
}
