// Reads what the form needs to know about the chosen services.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { isSelector } from "../../../../domain/fleet/selectors.ts";
import type { EffectiveStatus } from "../../../../domain/fleet/services.ts";
import { maxRolloutTargets } from "../../../../domain/limits.ts";
import type { PageNumber } from "../../../../lib/whole-list.ts";
import type { Failing } from "../../../client/api-error.ts";
import { call, callPage, type Input, type Reply } from "../../../client/call.ts";
import { everyPage } from "../../../client/every-page.ts";
import { serviceByCode } from "../../../client/service-by-code.ts";
import { useSettledText } from "../../../fields/use-delayed-text.ts";
import { listOf, type RolloutDraft } from "./rollout-draft.ts";

type Query = NonNullable<Input<"services.list">["query"]>;
type Service = Reply<"services.get">;
type Action = Service["actions"][number];

/**
 * Filters that the list of services has, but a rollout's request does not. `attention` is the id
 * of a group of services that need attention.
 */
const onlyInLists = ["q", "healthStatus", "attention"] as const;

export function isOnlyInList(filters: URLSearchParams): boolean {
  return onlyInLists.some((name) => filters.get(name));
}

/** The codes of the services that a list with these filters finds now. */
export function useFound(filters: URLSearchParams): UseQueryResult<string[], Failing> {
  const query = Object.fromEntries(filters) as Query;
  return useQuery<string[], Failing>({
    queryKey: ["rollout services found", query],
    queryFn: ({ signal }) => readCodes(query, signal),
    enabled: isOnlyInList(filters),
    // The user has chosen exactly these services, so they are not read again while the form is
    // open.
    staleTime: "static",
    gcTime: 0,
  });
}

async function readCodes(
  { attention, ...query }: Query & { attention?: string },
  signal: AbortSignal,
): Promise<string[]> {
  if (attention) return codesOfGroup(attention, signal);
  const readPage = (place: PageNumber) =>
    callPage("services.list", { query: { ...query, ...place } }, signal);
  const codes: string[] = [];
  for await (const rows of everyPage(readPage)) {
    codes.push(...rows.map(({ code }) => code));
    // The server refuses a rollout on more services, so there is no need to read further.
    if (codes.length > maxRolloutTargets) break;
  }
  return codes;
}

async function codesOfGroup(groupId: string, signal: AbortSignal): Promise<string[]> {
  const group = await call("attention.group", { params: { groupId } }, signal);
  return group.services.map(({ code }) => code);
}

/** Some of the chosen services: the one with this code, or those that a query finds. */
type Sample = { code: string } | { query: Query };

/**
 * Ignores chosen agents, because the list of services cannot be filtered by their codes. Returns
 * undefined while the selector is incomplete.
 */
export function useSample(
  draft: RolloutDraft,
  found: readonly string[] | null,
): Sample | undefined {
  const selector = useSettledText(draft.selector.trim());
  const services = useSettledText(draft.services);
  const [code] = found ?? listOf(services);
  if (code) return { code };
  if (!isSelector(selector)) return undefined;
  return {
    query: {
      ...(selector ? { selector } : {}),
      ...(draft.status ? { status: draft.status as EffectiveStatus } : {}),
    },
  };
}

/** `filter` limits the services that a query finds. */
async function readSample(
  sample: Sample | undefined,
  filter: Query,
  signal: AbortSignal,
): Promise<Service[]> {
  if (sample && "code" in sample) {
    const service = await serviceByCode(sample.code, signal);
    return service ? [service] : [];
  }
  const services = await call("services.list", { query: { ...sample?.query, ...filter } }, signal);
  return Promise.all(
    services.map(({ id }) => call("services.get", { params: { serviceId: id } }, signal)),
  );
}

/** How many services are read to find actions to suggest. */
const asked = 5;

/** Returns the actions that the first few of the chosen services declare, as suggestions. */
export function useActions(sample: Sample | undefined): Action[] {
  const { data = [] } = useQuery<Action[], Failing>({
    queryKey: ["rollout actions", sample],
    queryFn: async ({ signal }) => {
      const services = await readSample(sample, { pageSize: asked }, signal);
      const actions = services.flatMap((service) => service.actions);
      return [...new Map(actions.map((action) => [action.name, action])).values()];
    },
    enabled: sample !== undefined,
  });
  return data;
}

/**
 * Returns the action as the chosen service declares it, or the first service that the query finds;
 * null if there is none.
 */
export function useAction(sample: Sample | undefined, name: string) {
  return useQuery<Action | null, Failing>({
    queryKey: ["rollout action", sample, name],
    queryFn: async ({ signal }) => {
      const [service] = await readSample(sample, { action: name, pageSize: 1 }, signal);
      return service?.actions.find((action) => action.name === name) ?? null;
    },
    enabled: sample !== undefined && name !== "",
  });
}
