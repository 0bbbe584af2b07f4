import type { NounTexts } from "../contract/noun.ts";
import type { users as routes } from "../users.ts";

export const users = {
  one: "user",
  summary: "Users: the people who administer the service",
  lead: "People who can sign in here. Programs use API keys instead.",
  code: "username",
  fold: "username",
  about: "role",
  columns: [
    { name: "username", of: "username", kind: "key" },
    { name: "display name", of: "displayName", wide: "terminal" },
    { name: "role", of: "role" },
    { name: "status", of: "status", kind: "state" },
    { name: "last login", of: "lastLoginAt", kind: "time", none: "never", label: "Last sign-in" },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "password set", of: "passwordChangedAt", kind: "time", wide: true },
    { name: "changed", of: "updatedAt", kind: "time", wide: true },
  ],
  empty: "No users. Create one: platformctl users create NAME --role owner",
  filters: { q: { hint: "Part of a username or display name" } },
  acts: {
    "end-sessions": {
      question: "End all sessions of {title}?",
      happens: ["The user is immediately signed out everywhere, and can sign in again."],
      done: "Sessions ended: {ended}.",
    },
    disable: {
      happens: [
        "The user is immediately signed out everywhere, and cannot sign in until enabled again.",
      ],
      done: "The user {title} is disabled.",
      when: { status: ["ACTIVE"] },
      sets: { status: "DISABLED" },
      danger: true,
    },
    enable: {
      happens: ["The user can sign in again, with the same password as before."],
      done: "The user {title} is enabled.",
      when: { status: ["DISABLED"] },
      sets: { status: "ACTIVE" },
    },
    delete: {
      happens: [
        "The user is immediately signed out. The audit trail keeps the record of what the user did, under that name. This cannot be undone: to lock a user out temporarily, disable the user instead.",
      ],
      done: "The user {title} is deleted.",
      danger: true,
      typed: true,
    },
  },
} as const satisfies NounTexts<typeof routes, "users">;
