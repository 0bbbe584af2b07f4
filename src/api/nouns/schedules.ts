import type { NounTexts } from "../contract/noun.ts";
import type { schedules as routes } from "../schedules.ts";

export const schedules = {
  one: "schedule",
  summary: "Actions and rollouts that run at set times",
  lead: "Each schedule runs an action of a service, or a rollout, whenever it is due.",
  code: "name",
  about: "state",
  columns: [
    { name: "name", of: "name", kind: "key" },
    { name: "state", of: "state", kind: "state" },
    { name: "when", of: { cell: "scheduleTiming" } },
    { name: "runs", of: { cell: "scheduleTarget" } },
    { name: "next", of: "nextRunAt", kind: "time", label: "Next run", none: "none" },
    { name: "last", of: "lastRun.state", kind: "state", label: "Last run", none: "none yet" },
    {
      name: "note",
      of: { cell: "scheduleObstacle" },
      kind: "cause",
      label: "Why it does not run",
    },
    { name: "last due", of: "lastRun.dueAt", kind: "time", wide: true, label: "Last run due" },
    { name: "owner", of: "owner.name", wide: "terminal" },
    { name: "description", of: "description", wide: true },
    { name: "updated", of: "updatedAt", kind: "time", wide: true },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "declared", of: { cell: "declaredIn" }, wide: true, label: "Declared in" },
    { name: "version", of: "version", kind: "number", wide: true },
    { name: "created", of: "createdAt", kind: "time", wide: true },
  ],
  details: [
    {
      name: "approval",
      of: "approvalId",
      kind: "key",
      link: { to: "approvals", id: "approvalId" },
    },
  ],
  empty: "No schedules. Create one: platformctl schedules create -f schedule.yaml",
  emptyPage: "There is no schedule yet.",
  filters: { action: { hint: "Its name" }, q: { hint: "Name" } },
  acts: {
    pause: {
      happens: [
        "The schedule does not run until it is resumed. Runs that have already started continue.",
      ],
      done: "{title} is paused.",
      undo: "resume",
      when: { state: ["ENABLED"] },
    },
    resume: {
      happens: [
        "The schedule runs again when it is next due. Runs that were due in the meantime do not run later.",
      ],
      done: "{title} is resumed.",
      when: { state: ["PAUSED"] },
    },
    delete: {
      asks: "Delete the schedule {title}? What it has started is kept.",
      happens: [
        "The schedule and the history of its runs are deleted. Commands and rollouts that it has started are kept. This cannot be undone.",
      ],
      done: "{title} is deleted.",
      danger: true,
    },
  },
  examples: {
    list: ["schedules list --state ENABLED"],
    get: ["schedules get nightly-restart -o yaml > schedule.yaml"],
    pause: ["schedules pause nightly-restart"],
  },
} as const satisfies NounTexts<typeof routes, "schedules">;
