// Binds the routes of api/sessions.ts to their use cases; only here do cookies come in.

import type { sessions } from "../../api/sessions.ts";
import { changeOwnPassword, login } from "../../core/access/logins.ts";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
} from "../../core/access/own-sessions.ts";
import { logout, whoAmI } from "../../core/access/sessions.ts";
import { type HandlersOf, Reply } from "../dispatch.ts";
import { endedSessionCookie, sessionCookie } from "../requests/cookies.ts";

export const sessionHandlers: HandlersOf<typeof sessions> = {
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
      // Over HTTPS browsers obey it. Not "cookies", which would reach other sites of the same domain.
      "Clear-Site-Data": '"cache"',
    };
    return new Reply(answer, { headers });
  },
};
