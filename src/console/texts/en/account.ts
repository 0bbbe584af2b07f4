// The page of your own account.

export const account = {
  title: "Your account",
  sessionEnds: "Your session ends",
  sessionMoves:
    "unless you use the console before then. An open, visible page counts as use. The session ends after 7 days at the latest.",
  signOutSays: "Ends your session in all tabs of this browser.",
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
    endSays: (from: string) => `The browser or program at ${from} must sign in again.`,
    endOthers: "End all others",
    endOthersTitle: "End all your other sessions?",
    endOthersSays: "You stay signed in here. All other browsers and programs must sign in again.",
    ended: (sessions: string) => `Ended: ${sessions}.`,
  },
  password: {
    title: "Your password",
    endOthers: "Also end my other sessions",
    current: "Current password",
    next: "New password",
    verb: "Change the password",
    done: "Your password was changed.",
    meanwhile: "Someone else has just changed your password. Sign in with the new one.",
  },
};
