// Identifies the sender of a request. (docs/decisions/0020-browsers.md)

import type { IncomingMessage } from "node:http";
import type { RouteSpec } from "../api/contract/route.ts";
import { authenticateSession, checkCsrfToken } from "../core/access/sessions.ts";
import type { Core } from "../core/context.ts";
import { tokenKindOf } from "../domain/access/credentials.ts";
import type { Principal } from "../domain/access/principals.ts";
import { AppError } from "../domain/errors.ts";
import { readSessionCookie } from "./requests/cookies.ts";
import type { Arrival } from "./site/arrival.ts";
import type { Site } from "./site/site.ts";

const anonymous: Principal = { kind: "anonymous" };

/** Throws UNAUTHORIZED, AGENT_DISABLED or CSRF_INVALID. Is synchronous for a cached agent. */
export function authenticate(
  core: Core,
  site: Site,
  spec: RouteSpec,
  request: IncomingMessage,
  arrival: Arrival,
): Principal | Promise<Principal> {
  switch (spec.access) {
    case "agent":
      return core.credentials.agent(agentToken(request));
    case "registration":
      return anonymous;
    case "public":
      if (spec.method !== "GET") site.checkOrigin(request.headers, arrival);
      return anonymous;
    default:
      return authenticateOperator(core, site, spec, request, arrival);
  }
}

/** Returns null if there is no Authorization header. */
export function bearerToken(request: IncomingMessage): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  if (header.startsWith("Bearer ")) return header.slice(7);
  const match = /^bearer +(\S+)$/i.exec(header);
  if (match?.[1]) return match[1];
  throw unauthorized("The Authorization header must be: Bearer <token>.");
}

function unauthorized(message: string): AppError {
  return new AppError("UNAUTHORIZED", message);
}

function hasBearer(request: IncomingMessage): boolean {
  return /^bearer /i.test(request.headers.authorization ?? "");
}

function agentToken(request: IncomingMessage): string {
  const token = bearerToken(request);
  if (token === null) {
    throw unauthorized("This call requires an agent token: Authorization: Bearer …");
  }
  const kind = tokenKindOf(token);
  if (kind === null || kind === "agent") return token;
  throw unauthorized(`This call requires an agent token, not ${tokenNames[kind]}.`);
}

const tokenNames = {
  agent: "an agent token",
  registration: "a registration token",
  apiKey: "an API key",
} as const;

async function authenticateOperator(
  core: Core,
  site: Site,
  spec: RouteSpec,
  request: IncomingMessage,
  arrival: Arrival,
): Promise<Principal> {
  const style = { secure: site.securesCookies(arrival) };
  const cookie = readSessionCookie(style, request.headers.cookie);
  // If there is a cookie, the Authorization header may be for a proxy in front of the server.
  const token = cookie !== null && !hasBearer(request) ? null : bearerToken(request);
  if (token !== null) {
    const kind = tokenKindOf(token);
    if (kind === "apiKey") return core.credentials.apiKey(token);
    throw unauthorized(
      kind === null
        ? "This bearer token is not an API key."
        : `This call requires an API key or a session, not ${tokenNames[kind]}.`,
    );
  }
  if (cookie === null) {
    throw unauthorized("This call requires a session (sign in) or an API key.");
  }
  // Pages reopen streams by themselves, so opening one does not extend the session.
  const principal = await authenticateSession(core, cookie, !spec.websocket);
  // Checks reads too, because some have effects: a prepare command reaches an agent, and an export
  // is audited. Browsers that do not send the headers for this check do not send the cookie with
  // cross-site requests, either.
  site.checkOrigin(request.headers, arrival);
  if (spec.method !== "GET") {
    const csrf = request.headers["x-csrf-token"];
    checkCsrfToken(core, principal, typeof csrf === "string" ? csrf : null);
  }
  return principal;
}
