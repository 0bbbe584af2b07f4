import type { Case } from "./case.ts";

export const sessions: Record<string, Case> = {
  whoami: {
    route: "auth.me",
    // Nobody here is signed in with a session; which installation answers is not told.
    said: ({ user, expiresAt }) => {
      const installation = { workspaceName: "default", version: "0.0.0", busEnabled: false };
      return { user, expiresAt, csrfToken: null, installation };
    },
    varies: ["server"],
  },
};
