// Handles the routes of api/sessions.ts, and sets and removes the session cookie.

import type { sessions } from "../../api/sessions.ts";
import { changeOwnPassword, login } from "../../core/access/logins.ts";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
} from "../../core/access/own-sessions.ts";
import { logout, whoAmI } from "../../core/access/sessions.ts";
import { type HandlersOf, Reply } from "../../core/handlers.ts";
import { endedSessionCookie, sessionCookie } from "../requests/cookies.ts";

export const handlers: HandlersOf<typeof sessions> = {
  "auth.login": async (ctx, { body, secure }) => {
    const { cookie, session } = await login(ctx, body.username, body.password);
    return new Reply(session, { headers: { "Set-Cookie": sessionCookie({ secure }, cookie) } });
  },
  "auth.me": (ctx) => whoAmI(ctx),
  "auth.password": (ctx, { body }) => changeOwnPassword(ctx, body),
  "auth.sessions": (ctx) => listOwnSessions(ctx),
  "auth.end-session": (ctx, { params }) => endOwnSession(ctx, params.sessionId),
  "auth.end-other-sessions": (ctx) => endOtherSessions(ctx),
  "auth.logout": async (ctx, { secure }) => {
    const answer = await logout(ctx);
    const headers = {
      "Set-Cookie": endedSessionCookie({ secure }),
      // Browsers honor this over HTTPS. "cookies" would also affect other sites on the domain.
      "Clear-Site-Data": '"cache"',
    };
    return new Reply(answer, { headers });
  },
};
