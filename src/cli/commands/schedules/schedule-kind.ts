// A schedule as users write it in a file or an editor.

import { ruleKind } from "../../rules/rule-kind.ts";

export const scheduleKind = ruleKind("Schedule", {
  noun: "schedules",
  one: "schedule",
  a: "a schedule",
  kept: ["state"],
  explanation: `\
  name, description  for people; the description is optional
  state              ENABLED or PAUSED
  cron               minute, hour, day, month and weekday:  0 3 * * 0  is Sundays at 03:00
                     or instead  everySeconds: 21600
  timezone           the time zone of cron, such as Europe/Berlin
  until              no run is due after this time; optional
  target             kind: action, with service, action and payload
                     or  kind: rollout, with action and the services (selector, services, agents
                     or status), waves, maxFailures …
  missed             runs that were due while no server ran: skip, or run the latest one (once)
  overlap            a run that is due before the previous one has ended: skip it, or wait
  [REDACTED]         keeps the secret that you have stored in this place`,
});
