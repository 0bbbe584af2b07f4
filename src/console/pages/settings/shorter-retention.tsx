// A shorter retention deletes: what, and how much of it there is now, is told before.

import { useState } from "react";
import type { Pagination } from "../../../api/route.ts";
import { usePage } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { useNow } from "../../components/clock.ts";
import { Confirm } from "../../components/confirm.tsx";
import { counted, totalText } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import type { Settings, SettingsPatch } from "./setting-types.ts";

const words = texts.settings.shorter;
const dayMs = 86_400_000;

const retentions = ["auditRetentionDays", "busEventRetentionDays"] as const;

interface Shorter {
  name: (typeof retentions)[number];
  days: number;
}

/** Those that the patch makes shorter; 0 is for ever. */
export function shorterRetentions(current: Settings, patch: SettingsPatch): Shorter[] {
  return retentions.flatMap((name) => {
    const wanted = patch[name];
    if (wanted === undefined) return [];
    const before = current.settings[name];
    const days = wanted ?? current.configured[name];
    return days > 0 && (before === 0 || days < before) ? [{ name, days }] : [];
  });
}

interface ConfirmShorterProps {
  current: Settings;
  patch: SettingsPatch;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmShorter({ current, patch, ...rest }: ConfirmShorterProps) {
  const { busEnabled } = useMe().installation;
  return (
    <Confirm title={words.title} verb={words.verb} danger {...rest}>
      {shorterRetentions(current, patch).map(({ name, days }) => {
        const told = counted(days, words.day, words.days);
        return name === "auditRetentionDays" ? (
          <p key={name}>
            {words.audit(told)} <AuditEventsNow days={days} />
          </p>
        ) : (
          <p key={name}>
            {words.bus(told)} {busEnabled && <BusEventsNow days={days} />}
          </p>
        );
      })}
    </Confirm>
  );
}

function AuditEventsNow({ days }: { days: number }) {
  const query = useBefore(days);
  return <Total pagination={usePage("audit-events.list", { query }).data?.pagination} />;
}

function BusEventsNow({ days }: { days: number }) {
  const query = useBefore(days);
  return <Total pagination={usePage("bus-events.list", { query }).data?.pagination} />;
}

function Total({ pagination }: { pagination: Pagination | undefined }) {
  if (pagination === undefined) return null;
  const noun = pagination.total === 1 ? words.event : words.events;
  return words.now(`${totalText(pagination)} ${noun}`);
}

/** A query for what was there so many days before the question was opened. */
function useBefore(days: number) {
  const now = useNow();
  const [asked] = useState(now);
  return { to: new Date(asked - days * dayMs).toISOString(), pageSize: 1 };
}
