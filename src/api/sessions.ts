import { z } from "zod";
import { bodyLimitBytes, passwordTextMaxLength } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { namedObject } from "./contract/schema-names.ts";
import { count, idParam, role, timestamp } from "./contract/schemas.ts";
import { endedSessions, listedSession } from "./shapes/listed-session.ts";
import { replacingPassword } from "./users.ts";

const currentUser = namedObject("CurrentUser", {
  id: z.string().describe("The id of the user or API key; `local` for a caller with `--db`."),
  username: z
    .string()
    .describe("The name of the user, of the API key or of the caller with `--db`."),
  displayName: z
    .string()
    .nullable()
    .describe(
      "The user's display name. Null if the user has none, and for callers without a session.",
    ),
  role,
});

const installation = namedObject("Installation", {
  workspaceName: z.string().describe("The name of the installation."),
  version: z.string().describe("The version of the server."),
  busEnabled: z.boolean().describe("Whether the event bus is on."),
  commandTtlSeconds: z
    .number()
    .describe("A command expires if its agent has not fetched it within this time."),
  thresholds: namedObject("StatusThresholds", {
    offlineSeconds: z.number().describe("An agent is OFFLINE if it has not called for this long."),
    suppressSeconds: z
      .number()
      .describe("The services of an agent are OFFLINE if the agent has not called for this long."),
    serviceStaleSeconds: z
      .number()
      .describe("A service is STALE if it has not been reported for this long."),
  }).describe("How long agents and services can be silent before their status changes."),
});

const session = namedObject("CurrentSession", {
  user: currentUser.describe("The caller."),
  csrfToken: z
    .string()
    .nullable()
    .describe("The token to send as `X-CSRF-Token`. Null for callers without a session."),
  installation: installation.describe(
    "The server's workspace, its version, whether its event bus is enabled, how soon commands " +
      "expire, and how long agents and services can be silent before their status changes.",
  ),
  expiresAt: timestamp
    .nullable()
    .describe(
      "When the session ends if it is not used again, or when the API key expires. Null " +
        "means never.",
    ),
});

export const sessions = defineRoutes({
  "auth.login": {
    method: "POST",
    path: "/api/admin/auth/login",
    access: "public",
    summary: "Sign in and get a session cookie",
    body: namedObject("SignInRequest", {
      username: z.string().min(1).max(200),
      password: z.string().min(1).max(passwordTextMaxLength),
    }),
    bodyLimit: bodyLimitBytes.login,
    reply: session,
    headers: { "Set-Cookie": "The session cookie. A browser deletes it when it closes." },
    errors: ["UNAUTHORIZED", "CSRF_INVALID", "RATE_LIMITED"],
  },
  "auth.me": {
    method: "GET",
    path: "/api/admin/auth/me",
    access: "viewer",
    holdsSecret: true,
    summary: "Get the signed-in user and the CSRF token",
    reply: session,
  },
  "auth.password": {
    method: "POST",
    path: "/api/admin/auth/password",
    access: "viewer",
    summary: "Change your own password",
    description:
      "Other sessions continue unless `endOtherSessions` is true. The current session always continues.",
    body: namedObject("ChangePasswordRequest", {
      currentPassword: z.string().min(1).max(passwordTextMaxLength),
      newPassword: replacingPassword,
      endOtherSessions: z.boolean().optional().describe("Whether to end your other sessions, too."),
    }),
    reply: namedObject("ChangedPassword", {
      changed: z.literal(true),
      sessionsEnded: count.describe("How many other sessions of the user were ended."),
    }),
    errors: ["RATE_LIMITED", "VERSION_CONFLICT"],
  },
  "auth.sessions": {
    method: "GET",
    path: "/api/admin/auth/sessions",
    access: "viewer",
    summary: "List your own sessions, most recently used first",
    reply: z.array(listedSession),
  },
  "auth.end-session": {
    method: "DELETE",
    path: "/api/admin/auth/sessions/:sessionId",
    access: "viewer",
    summary: "End one of your own sessions",
    params: z.object({ sessionId: idParam.describe("The session's id.") }),
    reply: endedSessions,
    errors: ["SESSION_NOT_FOUND"],
  },
  "auth.end-other-sessions": {
    method: "DELETE",
    path: "/api/admin/auth/sessions",
    access: "viewer",
    summary: "End all of your own sessions except the current one",
    reply: endedSessions,
  },
  "auth.logout": {
    method: "POST",
    path: "/api/admin/auth/logout",
    access: "viewer",
    summary: "Sign out and end the session",
    reply: namedObject("SignedOut", {
      signedOut: z
        .boolean()
        .describe("Whether a session was ended. False for callers without a session."),
    }),
    headers: {
      "Set-Cookie": "Removes the session cookie.",
      "Clear-Site-Data": "Clears the browser's cache of this site.",
    },
  },
});
