import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { formatDuration } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { callNamed } from "../../names/resolve.ts";
import { printOne, type View } from "../../output/output.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { tableSection } from "../../output/values.ts";

type History = Reply<"services.history">;

export async function showHistory({ io, args, options, client }: Invocation): Promise<void> {
  const days = options.days as number;
  const api = await client();
  const history = await callNamed(api, nouns.services, args[0] ?? "", (serviceId) =>
    api.call("services.history", { params: { serviceId }, query: { days } }),
  );
  const whenOf = (at: string) => (options.output === "wide" ? at : relativeTime(at, io.now()));
  printOne(io, options, history, viewOf(history), () =>
    [
      { title: "changes of the last 24 hours", rows: changesOf(history, whenOf) },
      { title: "days in UTC", rows: daysOf(history) },
    ].map(({ title, rows: { heads, rows } }) => tableSection(io, title, heads, rows)),
  );
}

function viewOf({ days }: History): View<History> {
  const recordedMs = days.flatMap(({ ms }) => Object.values(ms)).reduce((sum, one) => sum + one, 0);
  const recorded = `${lengthOf(recordedMs)} recorded ${days.length === 1 ? "today" : `in ${days.length} days`}`;
  return {
    columns: [
      { name: "status", value: ({ status }) => status, kind: "state" },
      { name: "since", value: ({ statusSince }) => statusSince, kind: "time" },
      {
        name: "uptime",
        value: ({ uptime }) => (uptime === null ? null : `${percent(uptime)} of ${recorded}`),
      },
      { name: "changes", value: ({ changesTotal }) => `${changesTotal} in 24 hours` },
    ],
    // Older servers do not return the code.
    nameOf: ({ serviceCode, serviceId }: Partial<History>) => serviceCode ?? serviceId ?? "",
  };
}

/** The newest change comes first, and each status lasts until the change above it. */
function changesOf({ changes, now }: History, whenOf: (at: string) => string) {
  const rows = changes.map(({ at, from, to }, index) => {
    const next = changes[index - 1]?.at;
    const lasted = lengthOf(Date.parse(next ?? now) - Date.parse(at));
    return [whenOf(at), from ?? "-", to, next === undefined ? `${lasted} so far` : lasted];
  });
  return { heads: ["when", "from", "to", "for"], rows };
}

/** Days before the first record are left out. */
function daysOf({ days }: History) {
  const first = days.findIndex(({ ms }) => Object.values(ms).some((time) => time > 0));
  const rows = days
    .slice(first < 0 ? days.length : first)
    .toReversed()
    .map(({ from, ms, unrecordedMs, uptime }) => {
      const { HEALTHY: _, ...others } = { ...ms, "not recorded": unrecordedMs };
      const rest = Object.entries(others).filter(([, time]) => time > 0);
      const text = rest.map(([status, time]) => `${status} ${lengthOf(time)}`).join(", ");
      return [from.slice(0, 10), uptime === null ? "-" : percent(uptime), text || "-"];
    });
  return { heads: ["day", "uptime", "not healthy"], rows };
}

/** Rounds down, so that only a share of 1 is 100%. */
function percent(share: number): string {
  return `${Math.floor(share * 10_000 + 1e-6) / 100}%`;
}

/** Drops the units that are small compared with the length: `3d4h`, `5h12m`, `7m3s`. */
function lengthOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const unit = seconds >= 86_400 ? 3600 : seconds >= 3600 ? 60 : 1;
  return formatDuration(seconds - (seconds % unit));
}
