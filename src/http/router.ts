import findMyWay from "find-my-way";
import type { RouteSpec } from "../api/contract/route.ts";
import { type RouteName, routes } from "../api/index.ts";
import { AppError } from "../domain/errors.ts";
import { MethodNotAllowed } from "./refusals.ts";

export interface Match {
  name: RouteName;
  spec: RouteSpec;
  params: Record<string, string | undefined>;
}

type Router = (method: string, path: string) => Match | null;

/** Throws NOT_FOUND if there is no match. */
export function found(match: Match | null): Match {
  if (match) return match;
  throw new AppError("NOT_FOUND", "This path does not exist.");
}

let router: Router | undefined;

/** Returns null for an unknown path. Throws MethodNotAllowed if the path has other methods. */
export function matchRoute(method: string, path: string): Match | null {
  router ??= createRouter();
  return router(method, path);
}

function createRouter(): Router {
  const router = findMyWay({ maxParamLength: 200 });
  const methods = new Set<string>();
  for (const [name, spec] of Object.entries<RouteSpec>(routes)) {
    methods.add(spec.method);
    for (const path of [spec.path, ...(spec.aliases ?? [])]) {
      router.on(spec.method, path, () => undefined, { name, spec });
      if (allowsHead(spec)) router.on("HEAD", path, () => undefined, { name, spec });
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

/** HEAD is for monitors. Other GETs may return something only once, such as a secret. */
function allowsHead(spec: RouteSpec): boolean {
  return spec.method === "GET" && spec.access === "public";
}
