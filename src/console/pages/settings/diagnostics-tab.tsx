// The server's state, for finding the cause of a problem.

import { formatBytes } from "../../../lib/bytes.ts";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { CopyButton } from "../../components/buttons/copy-button.tsx";
import { Section } from "../../components/page.tsx";
import { count } from "../../format/number.ts";
import { duration, exactTime } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { type Fact, Facts, factsOf } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import { HealthVerdict } from "./verdict.tsx";

type Diagnostics = Reply<"diagnostics.get">;

const words = texts.settings.diagnostics;
const names = words.names;
const everyMs = 10_000;

export function DiagnosticsTab() {
  const query = useCall("diagnostics.get", {}, { everyMs });
  return (
    <Loaded query={query}>
      {(found) => (
        <>
          <HealthVerdict everyMs={everyMs} />
          <div className="row section-header">
            <p className="muted">{words.says}</p>
            <CopyButton text={JSON.stringify(found, null, 2)} label={words.copy} />
          </div>
          {groupsOf(found).map(([title, facts]) => (
            <Section key={title} title={title}>
              <Facts card facts={facts} />
            </Section>
          ))}
        </>
      )}
    </Loaded>
  );
}

function groupsOf(found: Diagnostics): [title: string, facts: Fact[]][] {
  const { queues, eventLoopDelay, configuration } = found;
  const delay = eventLoopDelay && factsOf(words.delays, eventLoopDelay, duration);
  const labels = { ...words.configured, ...words.counted };
  const keys = Object.keys(labels) as (keyof typeof labels)[];
  return [
    [words.process, processFacts(found)],
    [words.database, databaseFacts(found)],
    [words.queues, factsOf(words.queued, queues, count)],
    ...(delay ? [[words.delay, delay] as [string, Fact[]]] : []),
    [words.limits, limitFacts(found)],
    [
      words.configuration,
      keys.map((key) => [labels[key], configuredText(key, configuration[key])]),
    ],
  ];
}

function processFacts({ process, clock }: Diagnostics): Fact[] {
  const { residentBytes, heapUsedBytes, heapTotalBytes, externalBytes } = process.memory;
  return [
    [names.uptime, duration(process.uptimeSeconds * 1000)],
    [names.startedAt, <Time key="started" at={clock.startedAt} />],
    [names.now, exactTime(clock.now)],
    [names.moved, duration(Math.abs(clock.wallClockMovedMs))],
    [names.resident, formatBytes(residentBytes)],
    [
      names.heap,
      names.heapOf({ used: formatBytes(heapUsedBytes), total: formatBytes(heapTotalBytes) }),
    ],
    [names.external, formatBytes(externalBytes)],
    [names.cpu, duration(process.cpuSeconds * 1000)],
    [names.node, process.node],
    [names.system, `${process.os} ${process.arch}`],
    [names.pid, String(process.pid)],
  ];
}

function databaseFacts({ database }: Diagnostics): Fact[] {
  const last = database.migrations.at(-1);
  return [
    [names.engine, `${database.engine} ${database.version}`],
    [names.fileName, <code key="file">{database.fileName}</code>],
    [names.size, formatBytes(database.sizeBytes)],
    [names.wal, formatBytes(database.walBytes)],
    [names.pages, names.pagesOf({ pages: database.pageCount, free: database.freePages })],
    [names.schema, last && `${last.version} (${last.name})`],
    [names.migrated, last && <Time key="migrated" at={last.appliedAt} />],
  ];
}

/**
 * Returns the use of each limit, and a count for each limit that was reached. A server with a
 * console always limits the connections and the stalled output of each client.
 */
function limitFacts({ limits: { inUse, reached, perClient } }: Diagnostics): Fact[] {
  const { connections, pendingBodyBytes, pendingOutputBytes } = inUse;
  const { connectionsPerAddress, requestsPerSecond, stalledOutputSeconds } = perClient;
  const of = (text: (value: number) => string, { used, allowed }: typeof connections) =>
    names.ofAllowed({ used: text(used), allowed: text(allowed) });
  const counts = Object.entries(reached) as [keyof typeof words.limitReached, number][];
  return [
    [names.connections, of(count, connections)],
    [names.pendingBodies, of(formatBytes, pendingBodyBytes)],
    [names.pendingOutput, of(formatBytes, pendingOutputBytes)],
    [names.connectionsPerAddress, count(connectionsPerAddress ?? 0)],
    [names.requestsPerSecond, requestsPerSecond ? count(requestsPerSecond) : names.unlimited],
    [names.stalledOutput, duration((stalledOutputSeconds ?? 0) * 1000)],
    ...counts
      .filter(([, times]) => times > 0)
      .map(([name, times]): Fact => [words.limitReached[name], count(times)]),
  ];
}

/** A setting's name ends with its unit. 0 means that a retention or lifetime never ends. */
function configuredText(name: string, value: string | number): string {
  if (typeof value === "string") return value;
  if (name in words.counted) return count(value);
  if (value === 0) return words.forEver;
  if (!name.endsWith("Days")) return duration(value * 1000);
  return words.days({ many: value });
}
