import type { Case } from "./case.ts";

export const sessions: Record<string, Case> = {
  whoami: {
    route: "auth.me",
    // Nobody here is signed in with a session.
    said: ({ user, expiresAt }) => ({ user, expiresAt, csrfToken: null }),
    ownWays: true,
    varies: ["server", "db"],
    columns: ["user", "role"],
    named: /./,
  },
};
