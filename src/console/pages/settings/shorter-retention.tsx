// A shorter retention deletes: what, and how much of it there is now, is told before.

import { useState } from "react";
import type { Pagination } from "../../../api/contract/route.ts";
import { usePage } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Confirm } from "../../components/confirm.tsx";
import { counted, totalText } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";
import type { Settings, SettingsPatch } from "./setting-types.ts";

const words = texts.settings.shorter;
const dayMs = 86_400_000;
const bothTypes = ["ACTION_EXECUTE", "ACTION_PREPARE"] as const;

const retentions = [
  "auditRetentionDays",
  "busEventRetentionDays",
  "commandRetentionDays",
  "silentRetentionDays",
] as const;
type Retention = (typeof retentions)[number];

interface Shorter {
  name: Retention;
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
  return (
    <Confirm title={words.title} verb={words.verb} danger {...rest}>
      {shorterRetentions(current, patch).map(({ name, days }) => (
        <p key={name}>
          <Consequence name={name} days={days} />
        </p>
      ))}
    </Confirm>
  );
}

function Consequence({ name, days }: Shorter) {
  const { busEnabled } = useMe().installation;
  const told = counted(days, words.day, words.days);
  switch (name) {
    case "auditRetentionDays":
      return (
        <>
          {words.audit(told)} <AuditEventsNow days={days} />
        </>
      );
    case "busEventRetentionDays":
      return (
        <>
          {words.bus(told)} {busEnabled && <BusEventsNow days={days} />}
        </>
      );
    case "commandRetentionDays":
      return (
        <>
          {words.commands(told)} <CommandsNow days={days} />
        </>
      );
    case "silentRetentionDays":
      return words.silent(told);
  }
}

function AuditEventsNow({ days }: { days: number }) {
  const query = useBefore(days);
  return <Total pagination={usePage("audit-events.list", { query }).data?.pagination} />;
}

function BusEventsNow({ days }: { days: number }) {
  const query = useBefore(days);
  return <Total pagination={usePage("bus-events.list", { query }).data?.pagination} />;
}

/** Those that were made before then: nearly all of them ended at once. Prepares are deleted with the others. */
function CommandsNow({ days }: { days: number }) {
  const query = { ...useBefore(days), type: bothTypes };
  const pagination = usePage("commands.list", { query }).data?.pagination;
  return <Total pagination={pagination} one={words.command} many={words.commandsMany} />;
}

interface TotalProps {
  pagination: Pagination | undefined;
  one?: string;
  many?: string;
}

function Total({ pagination, one = words.event, many = words.events }: TotalProps) {
  if (pagination === undefined) return null;
  return words.now(`${totalText(pagination)} ${pagination.total === 1 ? one : many}`);
}

/** A query for what was there so many days before the question was opened. */
function useBefore(days: number) {
  const now = useNow();
  const [asked] = useState(now);
  return { to: new Date(asked - days * dayMs).toISOString(), pageSize: 1 };
}
