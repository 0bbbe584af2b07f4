// Pages of users, and what is said of roles and passwords anywhere.

export const users = {
  user: "User",
  you: "you",
  username: "Username",
  usernameHint: "Letters, digits and . _ @ + - : a name or an e-mail address. Case does not count.",
  role: "Role",
  roles: { owner: "owner", operator: "operator", viewer: "viewer", metrics: "metrics" },
  roleMeans: {
    owner: "May do everything, also with users, API keys, settings and backups.",
    operator:
      "Sees the same, runs actions, and manages agents, registration tokens and routes of the event bus.",
    viewer: "Sees all but users, API keys, settings and metrics. Changes nothing.",
    metrics: "Reads the metrics, and nothing else: for Prometheus.",
  },
  lastLogin: "Last sign-in",
  passwordChanged: "Password set",
  changes: "Changes",
  whatTheyDid: "What this user did",
  whatWasDone: "What was done to this user",

  create: "Create a user",
  created: (name: string) => `The user ${name} is there.`,
  tellThem: (name: string) => `Give ${name} this password: it is shown now and never again.`,

  editTitle: (name: string) => `Edit ${name}`,
  saved: (name: string) => `The user ${name} is changed.`,
  roleEndsSessions:
    "Another role ends this user's sessions: they have to sign in again. A lower role also revokes their API keys above it.",
  ownRole:
    "This is you. With another role you have to sign in again, and may not be able to undo it.",
  conflict: "Somebody else has changed this user meanwhile. It is now:",
  takeTheirs: "Go on from there",

  keysGo: (count: number) =>
    count === 1
      ? "This API key belongs to them and is revoked for good:"
      : "These API keys belong to them and are revoked for good:",
  moreKeys: (count: number) => `and ${count} more`,
  disableYourself:
    "This is you: you are signed out at once, and only another owner lets you in again.",

  endOwnSessions: "This is you: you are signed out here as well.",
  ended: (sessions: string) => `Ended: ${sessions}.`,
  signedIn: "Signed in",
  session: "session",
  sessions: "sessions",

  deleteYourself: "This is you.",

  setPassword: "Set password",
  setPasswordTitle: (name: string) => `Set the password of ${name}`,
  setPasswordSays: "The old password stops working. Sessions that are open go on.",
  passwordIsSet: (name: string) => `${name} has a new password. Sessions that are open go on.`,
  endThem: "End their sessions",
  yourOwn: "Your own password is changed on the page of your account.",

  password: "Password",
  newPassword: "New password",
  passwordRules:
    "12 to 128 characters. Not the username, none of the commonest, no row of neighbours like abcdef.",
  makeUp: "Make one up",
  madeUp: "Made up: it is shown once more when it is saved, and then never again.",
};
