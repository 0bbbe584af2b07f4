// Asks the user to confirm a shorter retention, and shows how much data it deletes.

import { type ComponentProps, useState } from "react";
import type { Input, Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Confirm } from "../../components/dialogs/confirm.tsx";
import { totalOf } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { useNow } from "../../values/clock.ts";

export type Settings = Reply<"settings.get">;
export type SettingsPatch = NonNullable<Input<"settings.update">["body"]>;

const words = texts.settings.shorter;
const dayMs = 86_400_000;

/** For each retention, the data that it deletes and the list that contains this data. */
const retentions = {
  auditRetentionDays: { deletes: words.audit, list: "audit-events.list", affects: words.nowEvents },
  busEventRetentionDays: { deletes: words.bus, list: "bus-events.list", affects: words.nowEvents },
  commandRetentionDays: {
    deletes: words.commands,
    list: "commands.list",
    affects: words.nowCommands,
    type: ["ACTION_EXECUTE", "ACTION_PREPARE"],
  },
  silentRetentionDays: { deletes: words.silent, list: null, affects: null },
  serviceHistoryRetentionDays: { deletes: words.history, list: null, affects: null },
} as const;

interface Shorter {
  name: keyof typeof retentions;
  days: number;
}

/** Returns the retentions that the patch makes shorter. 0 keeps data forever. */
export function shorterRetentions(current: Settings, patch: SettingsPatch): Shorter[] {
  return (Object.keys(retentions) as Shorter["name"][]).flatMap((name) => {
    const wanted = patch[name];
    if (wanted === undefined) return [];
    const before = current.settings[name];
    const days = wanted ?? current.configured[name];
    return days > 0 && (before === 0 || days < before) ? [{ name, days }] : [];
  });
}

interface ConfirmShorterProps
  extends Pick<ComponentProps<typeof Confirm>, "busy" | "error" | "onConfirm" | "onClose"> {
  current: Settings;
  patch: SettingsPatch;
}

export function ConfirmShorter({ current, patch, ...rest }: ConfirmShorterProps) {
  return (
    <Confirm title={words.title} verb={words.verb} danger {...rest}>
      {shorterRetentions(current, patch).map(({ name, days }) => (
        <Consequence key={name} name={name} days={days} />
      ))}
    </Confirm>
  );
}

/** Commands are counted by creation time, because nearly all of them end soon afterwards. */
function Consequence({ name, days }: Shorter) {
  const { deletes, list, affects, ...filter } = retentions[name];
  const { busEnabled } = useMe().installation;
  const now = useNow();
  const [asked] = useState(now);
  const to = new Date(asked - days * dayMs).toISOString();
  const { data } = usePage(
    (list ?? "commands.list") as "commands.list",
    { query: { to, pageSize: 1, ...filter } as never },
    { enabled: list !== null && (list !== "bus-events.list" || busEnabled) },
  );
  return (
    <p>
      {deletes({ many: days })} {affects && data && affects({ many: totalOf(data.pagination) })}
    </p>
  );
}
