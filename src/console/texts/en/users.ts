// Texts about users, roles and passwords.

import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

export const users = {
  you: "you",
  username: "Username",
  usernameHint: "A name or an e-mail address: letters, digits and . _ @ + -. Case does not matter.",
  displayName: "Display name",
  displayNameHint: "Optional. Shown beside the username.",
  role: "Role",
  roles: { owner: "owner", operator: "operator", viewer: "viewer", metrics: "metrics" },
  roleMeans: {
    owner:
      "Can do everything, including managing users, the API keys of all users, assigned labels, settings and backups.",
    operator:
      "Sees what a viewer sees, runs actions, and manages agents, services, registration tokens and bus routes.",
    viewer: "Sees everything except users, API keys, settings and metrics. Changes nothing.",
    metrics: "Reads the metrics and nothing else. Intended for Prometheus.",
  },
  lastLogin: "Last sign-in",
  passwordChanged: "Password changed",
  changes: "Changes",
  whatTheyDid: "Events by this user",
  whatWasDone: "Changes to this user",

  create: "Create user",
  created: (name: string) => `The user ${name} was created.`,
  tellThem: (name: string) => `Give ${name} this password now. It is shown only once.`,

  editTitle: (name: string) => `Edit ${name}`,
  saved: (name: string) => `The user ${name} was changed.`,
  roleEndsSessions:
    "Changing the role ends this user's sessions: the user must sign in again. A lower role also revokes the user's API keys that have a higher role.",
  ownRole:
    "This is your own account. You must sign in again with the new role, and may not be able to undo this.",
  conflict: "Someone else has changed this user. The user is now:",
  takeTheirs: "Continue with the newer version",

  keysGo: (many: Amount) =>
    plural(many, {
      one: "This API key is revoked permanently:",
      other: "These API keys are revoked permanently:",
    }),
  moreKeys: (many: Amount) => `and ${count(many)} more`,
  disableYourself:
    "This is your own account: you are signed out immediately, and only another owner can enable it again.",

  endOwnSessions: "This is your own account: you are signed out here as well.",
  ended: (sessions: Amount) =>
    plural(sessions, { one: "# session ended.", other: "# sessions ended." }),

  deleteYourself: "This is your own account.",

  setPassword: "Set password",
  setPasswordTitle: (name: string) => `Set the password of ${name}`,
  setPasswordSays: "The old password stops working. Open sessions continue.",
  passwordIsSet: (name: string) => `${name} has a new password. Open sessions continue.`,
  endThem: "End sessions",
  yourOwn: "Change your own password on your account page.",

  password: "Password",
  passwordRules:
    "12 to 128 characters. Not the username, a common password, or a sequence such as abcdef.",
  makeUp: "Generate",
  madeUp:
    "This password was generated. It is shown once more after you save it, and then never again.",
};
