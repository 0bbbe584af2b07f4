import type { BodyInput, ParamsInput, QueryInput, RouteSpec } from "./route.ts";

/**
 * A part is optional if the route does not have it or if it can be empty. The conditional type
 * makes the compiler handle each route separately, because the routes' parts have too many
 * combinations.
 */
export type CallInput<S extends RouteSpec> = S extends unknown
  ? Part<"params", ParamsInput<S>> & Part<"query", QueryInput<S>> & Part<"body", BodyInput<S>>
  : never;

type Part<K extends string, V> = V extends undefined
  ? { [P in K]?: undefined }
  : Record<never, never> extends V
    ? { [P in K]?: V }
    : { [P in K]: V };

/** Includes the query. */
export function pathOf(
  spec: Pick<RouteSpec, "path">,
  call: { params?: Record<string, unknown>; query?: Record<string, unknown> },
): string {
  const path = spec.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value === undefined) continue;
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
