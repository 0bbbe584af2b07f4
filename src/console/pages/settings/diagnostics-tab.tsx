// What somebody who looks for a fault wants to know first.

import type { ReactNode } from "react";
import { formatBytes } from "../../../lib/bytes.ts";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Section } from "../../components/page.tsx";
import { count, counted } from "../../format/number.ts";
import { duration, exactTime } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";

type Diagnostics = Reply<"diagnostics.get">;

const words = texts.settings.diagnostics;
const names = words.names;
const everyMs = 10_000;

type Fact = [label: string, value: string];

export function DiagnosticsTab() {
  const query = useCall("diagnostics.get", {}, { everyMs });
  return (
    <Loaded query={query}>
      {(found) => (
        <>
          <div className="row section-header">
            <p className="muted">{words.says}</p>
            <CopyButton text={JSON.stringify(found, null, 2)} label={words.copy} />
          </div>
          <Program found={found} />
          <Storage found={found} />
          <Work found={found} />
          <Limits found={found} />
          <Configuration found={found} />
        </>
      )}
    </Loaded>
  );
}

function Group({ title, facts }: { title: string; facts: [string, ReactNode][] }) {
  return (
    <Section title={title}>
      <div className="card">
        <Facts facts={facts} />
      </div>
    </Section>
  );
}

function Program({ found: { service, process, clock } }: { found: Diagnostics }) {
  const { memory } = process;
  return (
    <>
      <Group
        title={words.service}
        facts={[
          [texts.words.version, service.version],
          [names.edition, service.edition],
          [names.commit, service.commit],
          [names.buildTime, service.buildTime],
          [names.contractVersion, service.contractVersion],
        ]}
      />
      <Group
        title={words.process}
        facts={[
          [names.uptime, duration(process.uptimeSeconds * 1000)],
          [names.startedAt, <Time key="started" at={clock.startedAt} />],
          [names.now, exactTime(clock.now)],
          [names.moved, duration(Math.abs(clock.wallClockMovedMs))],
          [names.resident, formatBytes(memory.residentBytes)],
          [
            names.heap,
            names.heapOf(formatBytes(memory.heapUsedBytes), formatBytes(memory.heapTotalBytes)),
          ],
          [names.external, formatBytes(memory.externalBytes)],
          [names.cpu, duration(process.cpuSeconds * 1000)],
          [names.node, process.node],
          [names.system, `${process.os} ${process.arch}`],
          [names.pid, String(process.pid)],
        ]}
      />
    </>
  );
}

function Storage({ found: { database } }: { found: Diagnostics }) {
  const { migrations } = database;
  const last = migrations.at(-1);
  return (
    <Group
      title={words.database}
      facts={[
        [names.engine, `${database.engine} ${database.version}`],
        [names.fileName, <code key="file">{database.fileName}</code>],
        [names.size, formatBytes(database.sizeBytes)],
        [names.wal, formatBytes(database.walBytes)],
        [names.pages, names.pagesOf(count(database.pageCount), count(database.freePages))],
        [names.schema, last && `${last.version} (${last.name})`],
        [names.migrated, last && <Time key="migrated" at={last.appliedAt} />],
      ]}
    />
  );
}

function Work({ found: { queues, eventLoopDelay } }: { found: Diagnostics }) {
  return (
    <>
      <Group
        title={words.queues}
        facts={[
          [names.writes, count(queues.writes)],
          [names.heldPolls, count(queues.heldPolls)],
          [names.waitingReaders, count(queues.waitingReaders)],
          [names.passwords, count(queues.passwordsRunning)],
          [names.passwordsWaiting, count(queues.passwordsWaiting)],
          [names.oneTimeSecrets, count(queues.oneTimeSecrets)],
        ]}
      />
      {eventLoopDelay && (
        <Group
          title={words.delay}
          facts={[
            [names.p50, duration(eventLoopDelay.p50Ms)],
            [names.p99, duration(eventLoopDelay.p99Ms)],
            [names.max, duration(eventLoopDelay.maxMs)],
          ]}
        />
      )}
    </>
  );
}

/** Of those that were reached, how often; the others are no news. */
function Limits({ found: { limits } }: { found: Diagnostics }) {
  const { connections, pendingBodyBytes, pendingOutputBytes } = limits.inUse;
  const reached = Object.entries(limits.reached) as [keyof typeof words.limitReached, number][];
  return (
    <Group
      title={words.limits}
      facts={[
        [names.connections, names.ofAllowed(count(connections.used), count(connections.allowed))],
        [
          names.pendingBodies,
          names.ofAllowed(
            formatBytes(pendingBodyBytes.used),
            formatBytes(pendingBodyBytes.allowed),
          ),
        ],
        [
          names.pendingOutput,
          names.ofAllowed(
            formatBytes(pendingOutputBytes.used),
            formatBytes(pendingOutputBytes.allowed),
          ),
        ],
        ...clientLimits(limits),
        ...reached
          .filter(([, times]) => times > 0)
          .map(([name, times]): Fact => [words.limitReached[name], count(times)]),
      ]}
    />
  );
}

/** A server that shows a console has all of them. */
function clientLimits({ perClient }: Diagnostics["limits"]): Fact[] {
  const { connectionsPerAddress, requestsPerSecond, stalledOutputSeconds } = perClient;
  return [
    [names.connectionsPerAddress, count(connectionsPerAddress ?? 0)],
    [names.requestsPerSecond, requestsPerSecond ? count(requestsPerSecond) : names.unlimited],
    [names.stalledOutput, duration((stalledOutputSeconds ?? 0) * 1000)],
  ];
}

function Configuration({ found: { configuration } }: { found: Diagnostics }) {
  const labels = { ...words.configured, ...words.counted };
  const keys = Object.keys(labels) as (keyof typeof labels)[];
  return (
    <Group
      title={words.configuration}
      facts={keys.map((key) => [labels[key], configuredText(key, configuration[key])])}
    />
  );
}

/** The end of the name is the unit. Nothing of it, where it is a retention or a life, is for ever. */
function configuredText(name: string, value: string | number): string {
  if (typeof value === "string") return value;
  if (name in words.counted) return count(value);
  if (value === 0) return words.forEver;
  if (name.endsWith("Days")) {
    return counted(value, texts.settings.shorter.day, texts.settings.shorter.days);
  }
  return duration(value * 1000);
}
