// What needs attention, and what operators say about it: acknowledgements and silences.

import type { attention } from "../../api/attention.ts";
import { AppError } from "../../domain/errors.ts";
import type { ServiceNote } from "../../domain/fleet/attention.ts";
import {
  type AttentionGroup,
  type AttentionGroups,
  currentNote,
  distinguishingLabels,
  type GroupMembers,
  hasEndedNote,
  sickServiceOf,
} from "../../domain/fleet/attention-groups.ts";
import { effectiveStatuses, highestDanger } from "../../domain/fleet/services.ts";
import { attentionServices } from "../../domain/limits.ts";
import { withZeros } from "../../domain/metrics.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  type AttentionTimes,
  attentionText,
  countLabels,
  deleteEndedNote,
  deleteNotes,
  type FailedCommand,
  findAttentionRows,
  findLastFailures,
  keyOfLabel,
  listNoted,
  type NewNote,
  type NotedService,
  writeNotes,
} from "../../store/tables/fleet/attention.ts";
import { type DeclaredBy, listActionsOf } from "../../store/tables/fleet/service-actions.ts";
import { findService } from "../../store/tables/fleet/services.ts";
import { countEffectiveStatuses } from "../../store/tables/overview.ts";
import { audit, makerOf } from "../audit/trail.ts";
import { bulkReader, type Core, type Ctx } from "../context.ts";
import type { Body, HandlersOf } from "../handlers.ts";

type Chosen = Pick<Body<typeof attention, "attention.clear">, "groupId" | "serviceIds">;

export const handlers: HandlersOf<typeof attention> = {
  "attention.get": (ctx) => getAttention(ctx),
  "attention.group": async (ctx, { params }) => {
    const { problem, members } = await requireGroup(ctx, params.groupId);
    const services = members.map(({ since, ...member }) => ({ ...member, since: isoTime(since) }));
    return { groupId: params.groupId, problem, services };
  },
  "attention.actions": (ctx, { query }) => actionsOfGroups(ctx, query.groups),
  "attention.acknowledge": async (ctx, { body: { note, ...chosen } }) =>
    writeNote(ctx, { kind: "ACKNOWLEDGED", note, until: null }, await sickServices(ctx, chosen)),
  "attention.silence": async (ctx, { body: { note, seconds, ...chosen } }) => {
    const until = ctx.core.now() + seconds * 1000;
    const services = await chosenServices(ctx, chosen);
    const silenced = { ...services, list: services.list.map(({ id, code }) => bare(id, code)) };
    return writeNote(ctx, { kind: "SILENCED", note, until }, silenced);
  },
  "attention.clear": async (ctx, { body }) => {
    const services = await chosenServices(ctx, body);
    return ctx.core.db.write(async (tx) => {
      const ids = services.list.map(({ id }) => id);
      const count = await deleteNotes(tx, ids);
      if (count > 0) await auditNote(ctx, tx, "service.note.cleared", services, {});
      return { services: count, until: null };
    });
  },
};

async function getAttention(ctx: Ctx) {
  const { core } = ctx;
  const read = bulkReader(ctx);
  const times = timesOf(core);
  const { statusNow, thresholds } = times;
  const counts = await countEffectiveStatuses(read, statusNow, thresholds);
  const services = withZeros(effectiveStatuses, counts);
  const text = await attentionText(read, "attention", times, attentionServices + 1);
  const { open, handled, truncated } = JSON.parse(text) as AttentionGroups;
  const groups = [...open.groups, ...handled.groups];
  const failures = await findLastFailures(
    read,
    groups.flatMap(({ first }) => first.map(({ id }) => id)),
  );
  const labels = new Map(
    open.groups.flatMap((group) => group.labels.map((each) => [keyOfLabel(each), each] as const)),
  );
  const fleet = await countLabels(read, [...labels.values()]);
  const all = Object.values(services).reduce((sum, number) => sum + number, 0);
  const toGroup = (group: AttentionGroup) => {
    const inFleet = group.labels.map((label) => fleet.get(keyOfLabel(label)) ?? 0);
    const telling = group.note === null ? distinguishingLabels(group, inFleet, all) : [];
    return toAttentionGroup({ ...group, labels: [] }, telling, failures);
  };
  return {
    at: isoTime(times.now),
    services,
    open: { ...open, groups: open.groups.map(toGroup) },
    handled: { ...handled, groups: handled.groups.map(toGroup) },
    truncated,
  };
}

function toAttentionGroup(
  { earliest, latest, note, first, ...group }: AttentionGroup,
  labels: ReturnType<typeof distinguishingLabels>,
  failures: ReadonlyMap<string, FailedCommand>,
) {
  return {
    ...group,
    labels,
    note: note && toNote(note),
    since: { earliest: isoTime(earliest), latest: isoTime(latest) },
    first: first.map(({ since, ...service }) => {
      const failed = failures.get(service.id);
      return {
        ...service,
        since: isoTime(since),
        lastFailedCommand: failed ? { ...failed, completedAt: isoTime(failed.completedAt) } : null,
      };
    }),
  };
}

/** Returns the note that applies to a service now, or null. */
export async function noteOfService(core: Core, id: string) {
  const row = (await findAttentionRows(core.db.read, [id], timesOf(core))).get(id);
  const note = row ? currentNote(row) : null;
  return note && toNote(note);
}

function toNote({ kind, note, by, at, until }: Omit<ServiceNote, "problem" | "since">) {
  return { kind, note, by, at: isoTime(at), until: until === null ? null : isoTime(until) };
}

function timesOf({ now, statusClock, settings }: Core): AttentionTimes {
  return { now: now(), statusNow: statusClock.now(), thresholds: settings.thresholds };
}

async function membersOfAll(ctx: Ctx): Promise<GroupMembers[]> {
  const times = timesOf(ctx.core);
  const text = await attentionText(
    bulkReader(ctx),
    "attention-members",
    times,
    attentionServices + 1,
  );
  return JSON.parse(text) as GroupMembers[];
}

/** Throws ATTENTION_GROUP_NOT_FOUND if none of the groups exists. */
async function actionsOfGroups(ctx: Ctx, groupIds: readonly string[]) {
  const groups = (await membersOfAll(ctx)).filter(({ group }) => groupIds.includes(group));
  if (groups.length === 0) throw groupNotFound(groupIds.join(","));
  const members = groups.flatMap((group) => group.members);
  const services = members.map(({ since, ...member }) => ({ ...member, since: isoTime(since) }));
  const declared = await listActionsOf(
    bulkReader(ctx),
    members.map(({ id }) => id),
  );
  return { services, actions: sharedActions(declared) };
}

/**
 * The actions that most of the services declare come first. Actions that equally many services
 * declare keep their declared order.
 */
function sharedActions(declared: readonly DeclaredBy[]) {
  const actions = [...Map.groupBy(declared, ({ name }) => name)].map(([name, of]) => ({
    name,
    label: of[0]?.label ?? name,
    dangerLevel: highestDanger(of) ?? "LOW",
    services: of.reduce((sum, { services }) => sum + services, 0),
    serviceId: of[0]?.serviceId ?? "",
    position: Math.min(...of.map(({ position }) => position)),
  }));
  return actions
    .sort(
      (a, b) => b.services - a.services || a.position - b.position || (a.name < b.name ? -1 : 1),
    )
    .map(({ position: _, ...action }) => action);
}

/** Throws ATTENTION_GROUP_NOT_FOUND. */
async function requireGroup(ctx: Ctx, groupId: string): Promise<GroupMembers> {
  const found = (await membersOfAll(ctx)).find(({ group }) => group === groupId);
  if (found) return found;
  throw groupNotFound(groupId);
}

function groupNotFound(groupId: string): AppError {
  const message =
    "This group no longer exists: its services have recovered, or have another problem or reason.";
  return new AppError("ATTENTION_GROUP_NOT_FOUND", message, { details: { groupId } });
}

type Listed = NotedService & { code: string };

/** `groupId` is null for services that were named one by one. */
interface Services {
  groupId: string | null;
  list: Listed[];
}

const bare = (id: string, code: string): Listed => ({ id, code, problem: null, since: null });

/** Throws ATTENTION_GROUP_NOT_FOUND and SERVICE_NOT_FOUND. */
async function chosenServices(ctx: Ctx, { groupId, serviceIds = [] }: Chosen): Promise<Services> {
  if (groupId !== undefined) {
    const { problem, members } = await requireGroup(ctx, groupId);
    return { groupId, list: members.map((member) => ({ ...member, problem })) };
  }
  const list: Listed[] = [];
  for (const id of new Set(serviceIds)) {
    const service = await findService(ctx.core.db.read, id);
    if (!service) throw new AppError("SERVICE_NOT_FOUND", `There is no service ${id}.`);
    list.push(bare(id, service.code));
  }
  return { groupId: null, list };
}

/**
 * Like `chosenServices`, but with the problems of the services. Also throws SERVICE_HAS_NO_PROBLEM.
 */
async function sickServices(ctx: Ctx, chosen: Chosen): Promise<Services> {
  const services = await chosenServices(ctx, chosen);
  if (services.groupId !== null) return services;
  const { core } = ctx;
  const ids = services.list.map(({ id }) => id);
  const rows = await findAttentionRows(core.db.read, ids, timesOf(core));
  const list = services.list.map(({ id, code }) => {
    const row = rows.get(id);
    const found = row ? sickServiceOf(row) : null;
    if (found) return { id, code, problem: found.problem, since: found.since };
    const message = `${code} has no problem that could be acknowledged.`;
    throw new AppError("SERVICE_HAS_NO_PROBLEM", message, { details: { serviceId: id } });
  });
  return { ...services, list };
}

async function writeNote(
  ctx: Ctx,
  { note, ...given }: Omit<NewNote, "note" | "by"> & { note: string | undefined },
  services: Services,
) {
  const by = makerOf(ctx.principal);
  const text = note === undefined ? null : redactText(note);
  const { kind, until } = given;
  return ctx.core.db.write(async (tx) => {
    const count = await writeNotes(tx, { ...given, note: text, by }, services.list);
    const action = kind === "SILENCED" ? "service.silenced" : "service.acknowledged";
    const facts = {
      ...(text === null ? {} : { note: text }),
      ...(until === null ? {} : { until: isoTime(until) }),
    };
    await auditNote(ctx, tx, action, services, facts);
    return { services: count, until: until === null ? null : isoTime(until) };
  });
}

/** The audit row of a group names at most this many of its services. */
const codesInAudit = 50;

function auditNote(
  ctx: Ctx,
  tx: Tx,
  action: "service.acknowledged" | "service.silenced" | "service.note.cleared",
  { groupId, list }: Services,
  facts: object,
): Promise<void> {
  const [only] = list;
  const about =
    only && list.length === 1
      ? { code: only.code }
      : { services: list.length, codes: list.slice(0, codesInAudit).map(({ code }) => code) };
  const problem = only?.problem ?? null;
  return audit(ctx, tx, {
    action,
    targetId: only && list.length === 1 ? only.id : null,
    metadata: {
      ...about,
      ...(groupId === null ? {} : { groupId }),
      ...(problem === null ? {} : { problem }),
      ...facts,
    },
  });
}

/**
 * Deletes notes that no longer apply. Otherwise, they would apply again if the same problem
 * returned.
 */
export async function endNotes(core: Core): Promise<void> {
  const noted = await listNoted(core.db.read, timesOf(core));
  const ended = noted.filter(hasEndedNote);
  if (ended.length === 0) return;
  for (let from = 0; from < ended.length && !core.stopping.aborted; from += endedAtOnce) {
    await core.db.write(async (tx) => {
      for (const { id, noteAt } of ended.slice(from, from + endedAtOnce)) {
        await deleteEndedNote(tx, id, noteAt ?? 0);
      }
    });
  }
}

const endedAtOnce = 100;
