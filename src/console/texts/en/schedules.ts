import type { Amount } from "../amounts.ts";
import { plural } from "./amounts.ts";

export const schedules = {
  create: "Create schedule",
  pauseAll: {
    verb: "Pause all",
    title: "Pause all schedules?",
    what: "No schedule runs until all are resumed together. Runs that are due in the meantime are skipped. Runs that have already started continue.",
    reason: "Reason",
    reasonHint: "For example, maintenance. Shown to everyone.",
    done: "All schedules are paused.",
    banner: "All schedules are paused.",
    since: "Paused {time}",
    sinceBy: "Paused {time} by {who}",
  },
  resumeAll: {
    verb: "Resume all",
    title: "Resume all schedules?",
    what: "Each schedule runs when it is next due. Runs that were due during the pause do not run later. Schedules that were paused individually stay paused.",
    done: "All schedules are resumed.",
  },

  allPaused: "all schedules are paused",
  notApproved: {
    AWAITING_APPROVAL: "waiting for approval",
    NOT_APPROVED: "not approved",
  },
  every: (time: string) => `every ${time}`,
  inZone: (cron: string, zone: string) => `${cron} in ${zone}`,
  /** `restart on billing`. */
  action: (action: string, service: string) => `${action} on ${service}`,
  rollout: (action: string) => `${action}, as a rollout`,

  now: {
    title: "State",
    paused: "The schedule is paused.",
    allPaused: "The schedule does not run, because all schedules are paused.",
    awaiting: "The schedule does not run until its content is approved.",
    notApproved: "The schedule does not run, because its content was not approved.",
    over: "The schedule has no more runs.",
    next: "The next run is due {time}.",
    breakGlass: "Break glass",
    glassTitle: (name: string) => `Let ${name} run without approval?`,
    askAgain: "To request approval again, edit and save the schedule.",
  },

  dues: {
    title: "Next runs",
    none: "The schedule has no more runs.",
    local: (zone: string) => `Time in ${zone}`,
    utc: "UTC",
    preview: "Next runs",
    incomplete: "Enter when the schedule runs to see the next runs.",
    invalid: "Correct the field with the error to see the next runs.",
  },

  runs: {
    title: "Runs",
    none: "The schedule has not run yet.",
    due: "Due",
    state: "State",
    what: "Started",
    command: "Command",
    rollout: "Rollout",
    why: "Reason",
    ended: "Ended",
    byHand: (who: string | null) => (who === null ? "run manually" : `run manually by ${who}`),
    missed: (many: Amount) =>
      plural(many, {
        one: "covers # earlier missed run",
        other: "covers # earlier missed runs",
      }),
  },

  runNow: {
    verb: "Run now",
    title: (name: string) => `Run ${name} now?`,
    what: (target: string) => `It runs once, in addition to its scheduled runs: ${target}.`,
    done: "The run has started.",
    failed: (why: string) => `The run has failed: ${why}`,
    waits: "The run waits until the previous one has ended.",
  },

  facts: {
    title: "What runs",
    when: "When",
    timezone: "Time zone",
    until: "Until",
    missed: "Missed runs",
    overlap: "If the previous run has not ended",
    owner: "Runs on behalf of",
    services: "Services",
    confirmation: "Confirmed",
    withheld: "Secrets are stored, but not shown.",
    payloads: "Payloads of individual services",
  },
  missed: { skip: "Skip them", once: "Run the latest one" },
  overlap: { skip: "Skip the run", wait: "Wait until it has ended" },

  form: {
    newTitle: "New schedule",
    editTitle: (name: string) => `Edit ${name}`,
    about: "Schedule",
    when: "When",
    kind: "Repeats",
    kinds: { cron: "At times (cron)", every: "At an interval" },
    cron: "Cron expression",
    cronHint: "Minute, hour, day, month, weekday. For example, 0 3 * * sun for Sundays at 03:00.",
    every: "Every",
    unit: "Unit",
    units: { minutes: "minutes", hours: "hours", days: "days" },
    everyHint: "Counted from 1 January 1970, 00:00 UTC.",
    timezone: "Time zone",
    timezoneHint: "For example, Europe/Berlin. Clock changes are taken into account.",
    until: "Until",
    untilHint: "No run is due after this time. Leave this empty for no end.",
    what: "What runs",
    target: "Runs",
    targets: { action: "An action of one service", rollout: "A rollout" },
    rolloutHint: "The services are chosen each time the schedule runs.",
    confirmation: "Confirm for all runs",
    confirmationHint:
      "Some actions ask for confirmation. Nobody can confirm when the schedule runs, so confirm here.",
    rules: "Rules",
    missed: "If a run was missed because no server was running",
    overlap: "If the previous run has not ended",
    state: "State",
    states: { ENABLED: "Enabled", PAUSED: "Paused" },
    keptSecrets: "Stored secrets stay as they are unless you replace [REDACTED].",
    keptPayloads: (many: Amount) =>
      plural(many, {
        one: "# service has a payload of its own, which is kept.",
        other: "# services have payloads of their own, which are kept.",
      }),
    fix: "Some fields have errors. Correct them first.",
    save: "Save schedule",
    saved: (name: string) => `${name} was saved.`,
    asked: (name: string) => `${name} was saved and is waiting for approval.`,
    warnings: "The schedule was saved, but note:",
    dismiss: "Dismiss",
    conflict: (version: number) =>
      `Someone else has saved this schedule: it now has version ${version}. Your changes are based on an older version and were not saved.`,
    load: "Load the newer version and discard my changes",
    policies:
      "If a policy requires approval, the schedule runs only after someone else has approved its content.",
  },
};
