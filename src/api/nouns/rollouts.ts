import type { NounTexts } from "../contract/noun.ts";
import type { rollouts as routes } from "../rollouts.ts";

export const rollouts = {
  one: "rollout",
  summary: "Actions on many services, in waves",
  lead: "Each rollout runs one action on many services, in waves, and stops if too many of them fail.",
  name: "name",
  about: "state",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "state", of: "state", kind: "state" },
    { name: "name", of: "name" },
    { name: "action", of: "action" },
    { name: "wave", of: { cell: "rolloutWave" }, minor: true },
    { name: "services", of: { cell: "rolloutProgress" }, kind: "prose" },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "by", of: "createdBy", minor: true, label: "Created by" },
    {
      name: "why",
      of: { cell: "rolloutWhy" },
      minor: true,
      wide: "page",
      label: "Reason for the state",
    },
    { name: "reason", of: "reason", wide: true },
    { name: "ended", of: "completedAt", kind: "time", wide: true },
    { name: "retry of", of: "retryOf", kind: "key", wide: true, link: { to: "rollouts" } },
    { name: "schedule", of: "scheduleId", kind: "key", wide: true, link: { to: "schedules" } },
  ],
  details: [
    {
      name: "approval",
      of: "approvalId",
      kind: "key",
      link: { to: "approvals", id: "approvalId" },
    },
  ],
  facts: ["action", "services", "created"],
  empty: "No rollouts. Start one: platformctl rollouts start ACTION -l SELECTOR",
  emptyPage: "No rollout has been started yet.",
  filters: { action: { hint: "Its name" } },
  acts: {
    pause: {
      happens: [
        "The rollout creates no more commands. Existing ones continue, and their results are recorded.",
      ],
      done: "{title} is paused.",
      undo: "resume",
      when: { state: ["RUNNING"] },
    },
    resume: {
      happens: ["The rollout continues with the next services."],
      done: "{title} is resumed.",
      when: { state: ["PAUSED"] },
    },
    cancel: {
      asks: "Cancel the rollout {title}?",
      happens: [
        "The rollout creates no more commands, and cannot be resumed. Existing commands continue unless you cancel them, too.",
      ],
      done: "{title} is cancelled.",
      keep: "Keep rollout",
      when: { state: ["AWAITING_APPROVAL", "RUNNING", "PAUSED"] },
      danger: true,
    },
  },
  examples: {
    list: ["rollouts list --state RUNNING,PAUSED"],
    pause: ["rollouts pause rol_01K"],
  },
} as const satisfies NounTexts<typeof routes, "rollouts">;
