import { z } from "zod";
import { displayNameMaxLength, userStatuses } from "../domain/access/users.ts";
import { passwordTextMaxLength } from "../domain/limits.ts";
import { isPlainLine } from "../lib/printable-text.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  count,
  deletedOf,
  idOf,
  pageQuery,
  role,
  searchQuery,
  someOf,
  sortQuery,
  timestamp,
  username,
} from "./contract/schemas.ts";
import { endedSessions, listedSession } from "./shapes/listed-session.ts";

const status = named(
  "UserStatus",
  z.enum(userStatuses).describe("A DISABLED user cannot sign in."),
);

const user = namedObject("User", {
  id: idOf("usr"),
  username: z.string().describe("The unique name with which the user signs in."),
  displayName: z
    .string()
    .nullable()
    .describe(
      "A name to show beside the username. Only the username identifies the user, because " +
        "display names are not unique.",
    ),
  role,
  status,
  version: z
    .int()
    .describe(
      "The version of the user, which increases with every change. Send it with an update.",
    ),
  createdAt: timestamp,
  updatedAt: timestamp.describe("When the user or the password was last changed."),
  passwordChangedAt: timestamp.describe("When the password was last set."),
  lastLoginAt: timestamp.nullable().describe("Null if the user has never signed in."),
});

/** A name with hidden or reversed text could look like the username beside it. */
const displayName = z
  .string()
  .normalize("NFC")
  .trim()
  .min(1)
  .max(displayNameMaxLength)
  .refine(isPlainLine, { error: "must be one line, without control or invisible characters" })
  .nullable()
  .optional();

/** The use case checks the password rules, because they depend on the username. */
const newPassword = z.string().min(1).max(passwordTextMaxLength);

export const replacingPassword = newPassword.describe(
  "12 to 128 characters. Passwords that are easy to guess are refused.",
);

const ended = {
  sessionsEnded: count.describe("How many sessions of the user were ended."),
  apiKeysRevoked: count.describe(
    "How many ACTIVE API keys were revoked. This includes keys that the user created for others.",
  ),
};

const one = {
  params: z.object({ userId: codedIds.userId }),
  access: "owner",
  errors: ["USER_NOT_FOUND"],
} as const;

export const users = defineRoutes({
  "users.list": {
    method: "GET",
    path: "/api/admin/users",
    access: "owner",
    summary: "List users, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["username", "displayName", "role", "createdAt"]),
      role: role.optional().describe("Only users with this role."),
      status: someOf(status),
      q: searchQuery,
    }),
    reply: z.array(user),
    paginated: true,
  },
  "users.create": {
    method: "POST",
    path: "/api/admin/users",
    access: "owner",
    summary: "Create a user",
    body: namedObject("CreateUserRequest", {
      username,
      displayName,
      password: replacingPassword,
      role,
    }),
    status: 201,
    idempotent: true,
    reply: user,
    errors: ["USERNAME_TAKEN", "RATE_LIMITED"],
  },
  "users.get": {
    ...one,
    method: "GET",
    path: "/api/admin/users/:userId",
    summary: "Get a user",
    reply: user,
  },
  "users.update": {
    ...one,
    method: "PATCH",
    path: "/api/admin/users/:userId",
    summary: "Change a user's username, display name or role, or disable or enable the user",
    description:
      "If you change the role or disable the user, the user's sessions end. If you disable " +
      "the user, the user's API keys are also revoked. If you lower the role, only the keys " +
      "with a higher role than the new one are revoked. All of this takes effect immediately.",
    body: namedObject("UpdateUserRequest", {
      username: username.optional(),
      displayName: displayName.describe("`null` removes the display name."),
      role: role.optional(),
      status: status.optional(),
      version: z
        .int()
        .optional()
        .describe(
          "The version of the user that you have seen. The update is refused if the current version differs.",
        ),
    }),
    reply: named("UpdatedUser", user.extend(ended)),
    errors: ["USER_NOT_FOUND", "USERNAME_TAKEN", "LAST_OWNER", "VERSION_CONFLICT"],
  },
  "users.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/users/:userId",
    summary: "Delete a user, end the user's sessions and revoke the user's API keys",
    reply: named("DeletedUser", deletedOf("usr").extend(ended)),
    errors: ["USER_NOT_FOUND", "LAST_OWNER"],
  },
  "users.set-password": {
    ...one,
    method: "POST",
    path: "/api/admin/users/:userId/password",
    summary: "Set a user's password; existing sessions continue",
    body: namedObject("SetPasswordRequest", { password: replacingPassword }),
    reply: user,
    errors: ["USER_NOT_FOUND", "RATE_LIMITED"],
  },
  "users.sessions": {
    ...one,
    method: "GET",
    path: "/api/admin/users/:userId/sessions",
    summary: "List a user's sessions, most recently used first",
    reply: z.array(listedSession),
  },
  "users.end-sessions": {
    ...one,
    method: "DELETE",
    path: "/api/admin/users/:userId/sessions",
    summary: "End all sessions of a user",
    reply: endedSessions,
  },
});
