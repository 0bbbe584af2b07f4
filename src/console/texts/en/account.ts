// The page of one's own account.

export const account = {
  title: "Your account",
  sessionEnds: "Your session ends",
  sessionMoves:
    "unless you use the console before: a page that is open and in sight counts as use, for 7 days at most",
  signOutSays: "Ends your session in this browser, in all its tabs.",
  sessions: {
    title: "Where you are signed in",
    browser: "Browser or program",
    from: "Address",
    lastUsed: "Last used",
    began: "Signed in",
    ends: "Ends",
    thisOne: "this session",
    unknown: "unknown",
    end: "End",
    endLabel: (from: string) => `End the session from ${from}`,
    endTitle: "End this session?",
    endSays: (from: string) => `Whoever uses it, from ${from}, has to sign in again.`,
    endOthers: "End all others",
    endOthersTitle: "End all of your other sessions?",
    endOthersSays:
      "You stay signed in here. All other browsers and programs have to sign in again.",
    ended: (sessions: string) => `Ended: ${sessions}.`,
  },
  password: {
    title: "Your password",
    endOthers: "Also end my other sessions",
    current: "Current password",
    next: "New password",
    verb: "Change the password",
    done: "Your password is changed.",
    meanwhile: "Your password was changed by somebody else meanwhile. Sign in with the new one.",
  },
};
