// Binds the routes of api/sessions.ts to their use cases; only here do cookies come in.

import type { sessions } from "../../api/sessions.ts";
import { changeOwnPassword, login } from "../../core/logins.ts";
import { logout, whoAmI } from "../../core/sessions.ts";
import { type CookieStyle, endedSessionCookie, sessionCookie } from "../cookies.ts";
import { type HandlersOf, Reply } from "../dispatch.ts";

export function sessionHandlers(style: CookieStyle): HandlersOf<typeof sessions> {
  return {
    "auth.login": async (ctx, { body }) => {
      const { cookie, session } = await login(ctx, body.username, body.password);
      return new Reply(session, { headers: { "Set-Cookie": sessionCookie(style, cookie) } });
    },
    "auth.me": (ctx) => whoAmI(ctx),
    "auth.password": (ctx, { body }) => changeOwnPassword(ctx, body),
    "auth.logout": async (ctx) => {
      const answer = await logout(ctx);
      return new Reply(answer, { headers: { "Set-Cookie": endedSessionCookie(style) } });
    },
  };
}
