// Groups the services that need attention: by problem, and by the reason for it. Runs in the
// process that reads the rows.

import { createHash } from "node:crypto";
import { compareTexts } from "../../lib/compare-texts.ts";
import { attentionServices, attentionShown } from "../limits.ts";
import {
  type Cause,
  holds,
  type NoteKind,
  type Problem,
  type ProblemFacts,
  problemOf,
  problems,
  type ServiceNote,
} from "./attention.ts";
import {
  type LabelTexts,
  labelsOfService,
  parseServiceLabels,
  type ServiceLabels,
} from "./labels.ts";

/** A service with its agent and its note, as it is read. Booleans are 0 or 1, and JSON is text. */
export interface AttentionRow
  extends Omit<ProblemFacts, "isSilent" | "hasActiveToken" | "changes">,
    LabelTexts<ServiceLabels> {
  id: string;
  code: string;
  name: string;
  healthStatus: string | null;
  healthMessage: string | null;
  agentId: string;
  agentCode: string;
  isSilent: number;
  hasActiveToken: number;
  changeTimes: string | null;
  flappingUntil: number | null;
  noteKind: NoteKind | null;
  note: string | null;
  noteBy: string | null;
  noteAt: number | null;
  noteProblem: Problem | null;
  noteSince: number | null;
  noteUntil: number | null;
  /** When the row was read, in Unix milliseconds. */
  now: number;
}

interface SickService {
  row: AttentionRow;
  problem: Problem;
  cause: Cause;
  since: number;
  changes: number;
  note: ServiceNote | null;
}

interface GroupedService {
  id: string;
  code: string;
  name: string;
  agentId: string;
  agentCode: string;
  since: number;
  healthStatus: string | null;
  /** How often the health has changed, if the service is flapping; otherwise 0. */
  changes: number;
}

export interface AttentionGroup {
  id: string;
  problem: Problem;
  cause: Cause;
  /** As the agent reported it; null unless the cause is HEALTH. */
  healthStatus: string | null;
  message: string | null;
  note: Omit<ServiceNote, "problem" | "since"> | null;
  services: number;
  agents: number;
  earliest: number;
  latest: number;
  /**
   * The labels that at least half of the services have. `distinguishingLabels` chooses some of
   * them.
   */
  labels: { key: string; value: string; services: number }[];
  byAgent: { id: string; code: string; services: number }[];
  first: GroupedService[];
}

export interface AttentionGroups {
  /**
   * The first groups without a note, and the numbers of all such groups, their services and agents.
   */
  open: { groups: AttentionGroup[]; total: number; services: number; agents: number };
  handled: { groups: AttentionGroup[]; total: number; services: number; agents: number };
  truncated: boolean;
}

/** The services of one group, for actions on all of them. */
export interface GroupMembers {
  group: string;
  problem: Problem;
  members: Pick<GroupedService, "id" | "code" | "since">[];
}

/** Returns null for a service without a problem. */
export function sickServiceOf(row: AttentionRow): SickService | null {
  const { changeTimes, flappingUntil, now } = row;
  const isFlapping = changeTimes !== null && flappingUntil !== null && flappingUntil > now;
  const changes = isFlapping ? (JSON.parse(changeTimes) as number[]) : null;
  const found = problemOf({
    ...row,
    isSilent: row.isSilent === 1,
    hasActiveToken: row.hasActiveToken === 1,
    changes,
  });
  if (found === null) return null;
  const note = noteOf(row);
  const isNoted = note !== null && holds(note, found, now);
  return { row, ...found, changes: changes?.length ?? 0, note: isNoted ? note : null };
}

/** Whether a service has a note that no longer applies. */
export function hasEndedNote(row: AttentionRow): boolean {
  const note = noteOf(row);
  if (note === null) return false;
  if (note.until !== null) return note.until <= row.now;
  return sickServiceOf(row)?.note == null;
}

/** Returns the note that applies now. */
export function currentNote(row: AttentionRow): ServiceNote | null {
  return hasEndedNote(row) ? null : noteOf(row);
}

function noteOf(row: AttentionRow): ServiceNote | null {
  const { noteKind: kind, note, noteBy: by, noteAt: at } = row;
  if (kind === null || at === null) return null;
  const { noteProblem: problem, noteSince: since, noteUntil: until } = row;
  return { kind, note, by, at, problem, since, until };
}

/** If there are too many services, `rows` has one row more than `attentionServices`. */
export function attentionGroupsOf(rows: readonly AttentionRow[]): AttentionGroups {
  const groups = sorted(rows);
  const side = (isHandled: boolean) => {
    const all = groups.filter(([first]) => (first?.note != null) === isHandled);
    const services = all.flat();
    return {
      groups: all.slice(0, attentionShown.groups).map(groupOf),
      total: all.length,
      services: services.length,
      agents: new Set(services.map(({ row }) => row.agentId)).size,
    };
  };
  return { open: side(false), handled: side(true), truncated: rows.length > attentionServices };
}

export function attentionMembersOf(rows: readonly AttentionRow[]): GroupMembers[] {
  return sorted(rows).map((services) => {
    const [first] = services as [SickService];
    const members = services.map(({ row: { id, code }, since }) => ({ id, code, since }));
    return { group: idOfGroup(first), problem: first.problem, members };
  });
}

/** The most urgent groups come first, then the largest, then those that began last. */
function sorted(rows: readonly AttentionRow[]): SickService[][] {
  const sick = rows.slice(0, attentionServices).flatMap((row) => sickServiceOf(row) ?? []);
  const groups = [...Map.groupBy(sick, keyOf).values()];
  for (const group of groups) {
    group.sort((a, b) => a.since - b.since || compareTexts(a.row.code, b.row.code));
  }
  const first = ([one]: SickService[]) => one as SickService;
  return groups.sort((one, other) => {
    const [a, b] = [first(one), first(other)];
    return (
      problems.indexOf(a.problem) - problems.indexOf(b.problem) ||
      other.length - one.length ||
      b.since - a.since ||
      compareTexts(a.row.code, b.row.code)
    );
  });
}

/**
 * Services have the same reason only if their texts are equal, because any difference may matter.
 */
function keyOf(service: SickService): string {
  const { problem, cause, note } = service;
  const reason = cause === "HEALTH" ? reasonOf(service.row) : [];
  const said = note && [note.kind, note.by, note.at, note.note, note.until];
  return JSON.stringify([problem, cause, reason, said]);
}

function reasonOf({ healthStatus, healthMessage }: AttentionRow) {
  return [healthStatus, healthMessage];
}

function idOfGroup(first: SickService): string {
  return createHash("sha256").update(keyOf(first)).digest("hex").slice(0, 20);
}

function groupOf(services: SickService[]): AttentionGroup {
  const [first] = services as [SickService];
  const { problem, cause, row, note } = first;
  const byAgent = [...Map.groupBy(services, (each) => each.row.agentId).values()]
    .map((own) => ({
      id: own[0]?.row.agentId ?? "",
      code: own[0]?.row.agentCode ?? "",
      services: own.length,
    }))
    .sort((a, b) => b.services - a.services || compareTexts(a.code, b.code));
  return {
    id: idOfGroup(first),
    problem,
    cause,
    healthStatus: cause === "HEALTH" ? row.healthStatus : null,
    message: cause === "HEALTH" ? row.healthMessage : null,
    note: note && { kind: note.kind, note: note.note, by: note.by, at: note.at, until: note.until },
    services: services.length,
    agents: byAgent.length,
    earliest: first.since,
    latest: services.at(-1)?.since ?? first.since,
    labels: commonLabels(services),
    byAgent: byAgent.slice(0, attentionShown.agents),
    first: services.slice(0, attentionShown.services).map(({ row: each, since, changes }) => {
      const { id, code, name, agentId, agentCode, healthStatus } = each;
      return { id, code, name, agentId, agentCode, since, healthStatus, changes };
    }),
  };
}

/** Returns the most frequent labels that at least two services and at least half of them have. */
function commonLabels(services: readonly SickService[]) {
  if (services.length < 2) return [];
  const counts = new Map<string, { key: string; value: string; services: number }>();
  for (const { row } of services) {
    const labels = labelsOfService(parseServiceLabels(row));
    for (const [key, value] of Object.entries(labels)) {
      const pair = JSON.stringify([key, value]);
      const count = counts.get(pair) ?? { key, value, services: 0 };
      count.services++;
      counts.set(pair, count);
    }
  }
  return [...counts.values()]
    .filter((each) => each.services >= 2 && each.services * 2 >= services.length)
    .sort((a, b) => b.services - a.services || compareTexts(a.key, b.key))
    .slice(0, attentionShown.candidates);
}

/**
 * Chooses the labels that distinguish a group from the rest of the fleet, because they are more
 * frequent in the group. `fleet` has the number of all services with each label, in the order of
 * `group.labels`.
 */
export function distinguishingLabels(
  group: Pick<AttentionGroup, "labels" | "services">,
  fleet: readonly number[],
  allServices: number,
) {
  return group.labels
    .map((label, at) => ({ ...label, of: Math.max(fleet[at] ?? 0, label.services) }))
    .map((label) => ({
      label,
      lift: (label.services / group.services) * (allServices / label.of),
    }))
    .filter(({ lift }) => lift >= minLift)
    .sort((a, b) => b.label.services * Math.log(b.lift) - a.label.services * Math.log(a.lift))
    .slice(0, attentionShown.labels)
    .map(({ label }) => label);
}

const minLift = 1.2;
