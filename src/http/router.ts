// From method and path to the route of the table, or what says that there is none.

import findMyWay from "find-my-way";
import type { RouteSpec } from "../api/contract/route.ts";
import { type RouteName, routes } from "../api/index.ts";
import { AppError } from "../domain/errors.ts";

export interface Match {
  name: RouteName;
  spec: RouteSpec;
  params: Record<string, string | undefined>;
}

/** Answers the match; null when the path leads nowhere. Throws MethodNotAllowed with the methods there are. */
export type Router = (method: string, path: string) => Match | null;

/** Throws NOT_FOUND when there is no match. */
export function found(match: Match | null): Match {
  if (match) return match;
  throw new AppError("NOT_FOUND", "There is nothing at this path.");
}

export class MethodNotAllowed extends Error {
  readonly allow: string;

  constructor(allow: string) {
    super("method not allowed");
    this.allow = allow;
  }
}

export function createRouter(): Router {
  const router = findMyWay({ maxParamLength: 200 });
  const methods = new Set<string>();
  for (const [name, spec] of Object.entries<RouteSpec>(routes)) {
    methods.add(spec.method);
    for (const path of [spec.path, ...(spec.aliases ?? [])]) {
      router.on(spec.method, path, () => undefined, { name, spec });
      if (isJustRead(spec)) router.on("HEAD", path, () => undefined, { name, spec });
    }
  }
  methods.add("HEAD");
  return (method, path) => {
    const found = methods.has(method) ? router.find(method as "GET", path) : null;
    if (found) {
      const { name, spec } = found.store as { name: RouteName; spec: RouteSpec };
      return { name, spec, params: found.params };
    }
    const allow = [...methods].filter((other) => router.find(other as "GET", path) !== null);
    if (allow.length > 0) throw new MethodNotAllowed(allow.join(", "));
    return null;
  };
}

/** Monitors ask so. Elsewhere a GET may hand out what is handed out only once: commands, secrets. */
function isJustRead(spec: RouteSpec): boolean {
  return spec.method === "GET" && spec.access === "public";
}
