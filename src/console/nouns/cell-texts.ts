// The cells of api/contract/cells.ts in the console's language. Cells without words are the same in
// every language.

import { type CellName, type cells, type ValueSource, valueIn } from "../../api/contract/cells.ts";
import { isClockOff, shownSkewMs } from "../../domain/fleet/clock-skew.ts";
import { dangerFrom } from "../format/danger.ts";
import { duration } from "../format/time.ts";
import { texts } from "../texts/index.ts";

type RowOf<Name extends CellName> = Parameters<(typeof cells)[Name]>[0];
type Text = string | null | undefined;

const words = texts.cells;
const { comma } = texts.words;

const translated: { readonly [Name in CellName]?: (row: RowOf<Name>) => Text } = {
  rolloutWave: ({ wave, waveCount, ...row }) =>
    stateOf(row) === "AWAITING_APPROVAL" ? null : words.wave({ wave, of: waveCount }),
  rolloutProgress: ({ total, targets }) => {
    const { SUCCEEDED = 0, FAILED = 0, NOT_RUN = 0 } = targets;
    return [
      words.succeeded({ many: SUCCEEDED, total }),
      FAILED > 0 && texts.rollouts.counts.FAILED({ many: FAILED }),
      NOT_RUN > 0 && texts.rollouts.counts.NOT_RUN({ many: NOT_RUN }),
    ]
      .filter(Boolean)
      .join(comma);
  },
  rolloutWhy: ({ stateReason }) => named(words.rolloutWhy, stateReason),
  agentTrouble: ({ status, offlineReason, clockSkewMs: skew }) => {
    if (status === "OFFLINE") return named(words.offlineReasons, offlineReason);
    return skew != null && isClockOff(skew) ? words.clockOff({ clock: clockText(skew) }) : null;
  },
  clock: ({ clockSkewMs: skew }) => (skew == null ? null : clockText(skew)),
  serviceMessage: ({ removedAt, agentCode: agent, healthMessage, statusCause }) => {
    if (statusCause === "NOT_REPORTED_YET") return words.notReportedYet({ agent });
    if (removedAt) return words.removed({ agent });
    return statusCause ? named(texts.attention.causes, statusCause) : healthMessage;
  },
  tokenState: ({ tokenState }) => named(words.tokenStates, tokenState ?? null),
  tokenScope: ({ agentCode, replace }) => {
    const agents = agentCode ?? words.anyAgent;
    return replace ? words.replacing({ agents }) : agents;
  },
  viewAudience: ({ shared }) => (shared ? words.everyone : words.you),
  policyRule: ({ action, dangerLevel, selector }) =>
    [action, dangerLevel && dangerFrom(dangerLevel), selector].filter(Boolean).join(comma) ||
    texts.policies.everything,
  policyApprovers: ({ approvers }) =>
    "role" in approvers
      ? named(texts.policies.fields.by, approvers.role)
      : approvers.users.join(comma) || texts.approvals.requirements.nobody,
  policyExpiry: ({ expiresAfterSeconds }) => duration(expiresAfterSeconds * 1000),
};

/** The value of a column, in the console's language. */
export function textIn(row: object, source: ValueSource): unknown {
  const own = typeof source === "object" ? translated[source.cell] : undefined;
  return own ? (own as (row: object) => Text)(row) : valueIn(row, source);
}

function clockText(skewMs: number): string {
  const ms = shownSkewMs(skewMs);
  if (ms === 0) return words.clock.exact;
  return (skewMs > 0 ? words.clock.ahead : words.clock.behind)({ time: duration(ms) });
}

function stateOf(row: object): unknown {
  return (row as { state?: unknown }).state;
}

/** Returns the value itself if it has no name, because a newer server can have more values. */
function named(names: Readonly<Record<string, string>>, value: string | null): string | null {
  return value === null ? null : (names[value] ?? value);
}
