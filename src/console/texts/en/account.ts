// The page of one's own account.

export const account = {
  title: "Your account",
  sessionEnds: "Your session ends",
  sessionMoves:
    "unless you use the console before: a page that is open and in sight counts as use, for 7 days at most",
  signOutSays: "Ends your session in this browser, in all its tabs.",
  password: {
    title: "Your password",
    says: "Your sessions go on, also in other browsers. To end those, ask an owner.",
    saysToOwners: "Your sessions go on, also in other browsers. You can end all of them at once on",
    userPage: "your user's page",
    current: "Current password",
    next: "New password",
    verb: "Change the password",
    done: "Your password is changed.",
    meanwhile: "Your password was changed by somebody else meanwhile. Sign in with the new one.",
  },
};
