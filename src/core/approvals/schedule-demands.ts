// Finds what policies demand for schedules, before the transaction that saves them. A rollout can
// choose from thousands of services, so they are read once for all schedules of a call.

import {
  type Labels,
  labelsOfService,
  parseServiceLabels,
  type ServiceLabels,
} from "../../domain/fleet/labels.ts";
import { isSelected, parseSelector } from "../../domain/fleet/selectors.ts";
import type { DangerLevel } from "../../domain/fleet/services.ts";
import { choiceOf, type RolloutChoice } from "../../domain/rollouts/rollouts.ts";
import type {
  ScheduledAction,
  ScheduledRollout,
  ScheduleTarget,
} from "../../domain/schedules/schedules.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { findLabelSources } from "../../store/tables/fleet/services.ts";
import {
  type FleetMember,
  listDeclaring,
  listFleet,
} from "../../store/tables/rollouts/rollout-candidates.ts";
import { bulkReader, type Ctx } from "../context.ts";
import { pagesById } from "../pages-by-id.ts";
import { type PoliciesInForce, policiesInForce, type StampedDemand, stampOf } from "./demands.ts";
import { FittingPolicies } from "./fitting-policies.ts";
import { actionsOfSchedule } from "./schedules.ts";

const atOnce = 500;
/** The maximum number of cached action declarations. Schedules of the same action share them. */
const mostDeclarations = 100_000;

type Levels = ReadonlyMap<string, DangerLevel>;

export class ScheduleDemands {
  readonly #ctx: Ctx;
  readonly #inForce: PoliciesInForce;
  /** The results, by the parts of the target that they depend on. */
  readonly #known = new Map<string, Promise<StampedDemand>>();
  #fleet: Promise<Fleet> | null = null;
  #levels = new Map<string, Promise<Levels>>();
  #declarations = 0;

  /**
   * `inForce` is what will apply when the schedules are saved. If it changes meanwhile, the stamps
   * are outdated, and the demands are determined again.
   */
  constructor(ctx: Ctx, inForce: PoliciesInForce) {
    this.#ctx = ctx;
    this.#inForce = inForce;
  }

  /** Must not be awaited in a transaction. Throws TOO_MUCH_WORK. */
  judge(target: ScheduleTarget): Promise<StampedDemand> {
    const key =
      target.kind === "action"
        ? JSON.stringify([target.service, target.action])
        : canonicalJson([choiceOf(target), target.action]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const judged = this.#judge(target);
    this.#known.set(key, judged);
    return judged;
  }

  async #judge(target: ScheduleTarget): Promise<StampedDemand> {
    const { policies } = this.#inForce;
    const fitting = new FittingPolicies(policies);
    if (policies.length > 0) {
      await (target.kind === "action"
        ? this.#addService(fitting, target)
        : this.#addServices(fitting, target));
    }
    return { demand: fitting.demand, stamp: stampOf(this.#inForce) };
  }

  async #addService(fitting: FittingPolicies, target: ScheduledAction): Promise<void> {
    const { read } = this.#ctx.core.db;
    const targets = await actionsOfSchedule(this.#ctx, read, { target });
    const ids = targets.map(({ serviceId }) => serviceId);
    const sources = await findLabelSources(read, ids);
    for (const { serviceId, action } of targets) {
      const { name, dangerLevel } = action;
      const found = sources.get(serviceId);
      const labels = found ? labelsInForce(found, this.#inForce) : {};
      fitting.add({ action: name, dangerLevel, labels });
    }
    await this.#ctx.budget.spend();
  }

  async #addServices(fitting: FittingPolicies, target: ScheduledRollout): Promise<void> {
    const { action } = target;
    const levels = await this.#levelsOf(action);
    const mayFit = [...new Set(levels.values())].some((dangerLevel) =>
      fitting.mayFit({ action, dangerLevel }),
    );
    if (!mayFit) return;
    const fleet = await this.#fleetFor(target);
    for await (const { labels, members } of fleet.chosenBy(this.#ctx, target)) {
      const found = new Set<DangerLevel>();
      for (const { id } of members) {
        const level = levels.get(id);
        if (level !== undefined) found.add(level);
      }
      for (const dangerLevel of found) fitting.add({ action, dangerLevel, labels });
    }
  }

  /** Reads only the named services if there are few; otherwise, reads the whole fleet once. */
  #fleetFor({ services, agents }: RolloutChoice): Promise<Fleet> {
    const names = services ?? agents;
    if (names !== undefined && names.length <= atOnce) {
      return Fleet.read(this.#ctx, this.#inForce, services ? { services } : { agents });
    }
    this.#fleet ??= Fleet.read(this.#ctx, this.#inForce, {});
    return this.#fleet;
  }

  async #levelsOf(action: string): Promise<Levels> {
    const known = this.#levels.get(action);
    if (known !== undefined) return known;
    const read = this.#readLevels(action);
    if (this.#declarations > mostDeclarations) {
      this.#declarations = 0;
      this.#levels = new Map();
    }
    this.#levels.set(action, read);
    this.#declarations += (await read).size;
    return read;
  }

  async #readLevels(action: string): Promise<Levels> {
    const levels = new Map<string, DangerLevel>();
    const read = bulkReader(this.#ctx);
    const pages = pagesById(
      atOnce,
      (page) => listDeclaring(read, action, page),
      ({ serviceId }) => serviceId,
    );
    for await (const rows of pages) {
      for (const { serviceId, dangerLevel } of rows) levels.set(serviceId, dangerLevel);
      await this.#ctx.budget.spend(rows.length + 1);
    }
    return levels;
  }
}

/** Like `ScheduleDemands`, but for a single schedule. Throws TOO_MUCH_WORK. */
export async function judgeSchedule(ctx: Ctx, target: ScheduleTarget): Promise<StampedDemand> {
  return new ScheduleDemands(ctx, await policiesInForce(ctx.core.db.read)).judge(target);
}

function labelsInForce(sources: ServiceLabels, { operatorLabels }: PoliciesInForce): Labels {
  return labelsOfService({ ...sources, operatorLabels });
}

/** Services with the same labels from the same sources. Their labels are parsed once. */
interface Group {
  labels: Labels;
  members: FleetMember[];
}

/** A snapshot of services, grouped by their labels. */
class Fleet {
  readonly #groups: readonly Group[];

  private constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  static async read(
    ctx: Ctx,
    inForce: PoliciesInForce,
    within: Pick<RolloutChoice, "services" | "agents">,
  ): Promise<Fleet> {
    const { settings, statusClock } = ctx.core;
    const { thresholds } = settings;
    const now = statusClock.now();
    const read = bulkReader(ctx);
    const groups = new Map<string, Group>();
    const pages = pagesById(
      atOnce,
      (page) => listFleet(read, within, { ...page, now, thresholds }),
      ({ id }) => id,
    );
    for await (const rows of pages) {
      for (const { id, code, agentCode, status, ...texts } of rows) {
        const key = JSON.stringify(texts);
        const group = groups.get(key) ?? {
          labels: labelsInForce(parseServiceLabels(texts), inForce),
          members: [],
        };
        groups.set(key, group);
        group.members.push({ id, code, agentCode, status });
      }
      await ctx.budget.spend(rows.length + 1);
    }
    return new Fleet([...groups.values()]);
  }

  /** Yields the chosen services, grouped by their labels. */
  async *chosenBy(
    { budget }: Ctx,
    { selector = "", services, agents, status }: RolloutChoice,
  ): AsyncGenerator<Group, void> {
    const wanted = parseSelector(selector);
    const isIn = [setOf(services), setOf(agents), setOf(status)] as const;
    const [codes, agentCodes, statuses] = isIn;
    const choosesAll = isIn.every((set) => set === null);
    let looked = 0;
    for (const { labels, members } of this.#groups) {
      looked++;
      if (isSelected(wanted, labels)) {
        looked += members.length;
        const chosen = choosesAll
          ? members
          : members.filter(
              ({ code, agentCode, status }) =>
                (codes?.has(code) ?? true) &&
                (agentCodes?.has(agentCode) ?? true) &&
                (statuses?.has(status) ?? true),
            );
        if (chosen.length > 0) yield { labels, members: chosen };
      }
      if (looked < atOnce) continue;
      await budget.spend(looked);
      looked = 0;
    }
    await budget.spend(looked);
  }
}

function setOf<T>(list: readonly T[] | undefined): ReadonlySet<T> | null {
  return list === undefined ? null : new Set(list);
}
