// The programs that call with one agent's token. A program gets a new id each time it starts. If an
// earlier id calls after a later one, two programs share the token.
// (docs/decisions/0006-command-delivery.md)

export const instancePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Times are Unix milliseconds. */
export interface AgentInstances {
  /** The id of the current program; null if it has stopped or sends no id. */
  instance: string | null;
  since: number;
  /** The ids of the programs that came before it, newest first. */
  earlier: string[];
  duplicatedAt: number | null;
  /** A command that was delivered up to this time is not delivered again. */
  redeliverFrom: number;
}

const mostEarlier = 8;

/**
 * How long a program waits for the lost commands of an earlier one that did not report its end. If
 * the earlier program still runs, it calls within this time, except just after an outage of the
 * server: even without room for more commands, it calls every 5 s.
 */
export const takeoverMs = 6000;

/** How long operators see that an agent was duplicated. Its programs call more often than this. */
export const duplicationShownMs = 5 * 60 * 1000;

export function isDuplicated(at: number | null | undefined, now: number): at is number {
  return typeof at === "number" && at >= now - duplicationShownMs;
}

/** What to do if two programs use an agent's token. docs/guides/troubleshooting.md has more. */
export function stopOneOf(code: string): string {
  return (
    "Stop the copy and delete its stateDir, or replace the token: " +
    `platformctl tokens create --agent ${code} --replace`
  );
}

export const noInstances: AgentInstances = {
  instance: null,
  since: 0,
  earlier: [],
  duplicatedAt: null,
  redeliverFrom: 0,
};

/**
 * Makes `instance`, which has called, the current one. If it was the current one before, two
 * programs share the token.
 */
export function succeeded(before: AgentInstances, instance: string, now: number): AgentInstances {
  const isBack = before.earlier.includes(instance);
  const others = before.earlier.filter((each) => each !== instance);
  return {
    instance,
    since: before.instance === null ? 0 : now,
    earlier: [...(before.instance === null ? [] : [before.instance]), ...others].slice(
      0,
      mostEarlier,
    ),
    duplicatedAt: isBack ? now : before.duplicatedAt,
    redeliverFrom: isBack ? now : before.redeliverFrom,
  };
}

/** Whether a command of this agent that seems to be lost can be delivered again. */
export function mayRedeliver(
  { since, redeliverFrom }: AgentInstances,
  deliveredAt: number,
  now: number,
): boolean {
  return deliveredAt > redeliverFrom && now >= takeoverEndsAt({ since });
}

export function takeoverEndsAt({ since }: Pick<AgentInstances, "since">): number {
  return since + takeoverMs;
}
