// Binds the routes of api/users.ts to their use cases.

import type { users } from "../../api/users.ts";
import {
  createUser,
  deleteUser,
  endSessions,
  getUser,
  listUserSessions,
  listUsers,
  setPassword,
  updateUser,
} from "../../core/access/users.ts";
import type { HandlersOf } from "../dispatch.ts";

export const userHandlers: HandlersOf<typeof users> = {
  "users.list": (ctx, { query }) => listUsers(ctx, query),
  "users.create": (ctx, { body }) => createUser(ctx, body),
  "users.get": (ctx, { params }) => getUser(ctx, params.userId),
  "users.update": (ctx, { params, body }) => updateUser(ctx, params.userId, body),
  "users.delete": (ctx, { params }) => deleteUser(ctx, params.userId),
  "users.set-password": (ctx, { params, body }) => setPassword(ctx, params.userId, body.password),
  "users.sessions": (ctx, { params }) => listUserSessions(ctx, params.userId),
  "users.end-sessions": (ctx, { params }) => endSessions(ctx, params.userId),
};
