// The type of an action's payload, derived from its JSON Schema by the compiler.

import type { Json, JsonObject } from "../../domain/payload/json.ts";

/** A JSON Schema that is written in place or declared `as const`, so that its values are known. */
export interface InputSchema {
  readonly [keyword: string]: ReadonlyJson;
}

type ReadonlyJson =
  | null
  | boolean
  | number
  | string
  | readonly ReadonlyJson[]
  | { readonly [key: string]: ReadonlyJson };

/**
 * The type of the objects that match a schema, from its `properties`, `required`, `type`, `items`,
 * `enum` and `const`. Other keywords do not change the type. A value without these keywords, such
 * as one with only `$ref` or `anyOf`, can be any JSON.
 */
export type PayloadOf<Schema> = Schema extends { properties: infer Properties }
  ? Flat<
      { [Key in keyof Properties]?: ValueOf<Properties[Key]> } & {
        [Key in RequiredOf<Schema>]: Key extends keyof Properties ? ValueOf<Properties[Key]> : Json;
      }
    >
  : JsonObject;

type RequiredOf<Schema> = Schema extends { required: readonly (infer Key extends string)[] }
  ? Key
  : never;

type ValueOf<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { type: readonly (infer Type)[] }
      ? OfType<Type, Schema>
      : Schema extends { type: infer Type }
        ? OfType<Type, Schema>
        : Json;

type OfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? ItemsOf<Schema>[]
          : Type extends "object"
            ? PayloadOf<Schema>
            : Json;

type ItemsOf<Schema> = Schema extends { items: infer Items } ? ValueOf<Items> : Json;

/** The same type in one piece, which is easier to read in editors. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };
