// Labels that agents report and labels that owners assign, and which of them count. Everything that
// selects by labels uses this file, or store/label-conditions.ts, which has the same rules in SQL.
// (docs/decisions/0025-approvals.md, "Labels")

import type { Selector } from "./selectors.ts";

export type Labels = Readonly<Record<string, string>>;

/**
 * A key that owners can reserve, so that agents cannot report it. It needs no quoting in JSON or in
 * a selector.
 */
export const operatorLabelPattern = /^[\p{L}\p{N}_][\p{L}\p{N}_./-]{0,99}$/u;

export interface AgentLabels {
  /** As the agent reports them. */
  labels: Labels;
  assignedLabels: Labels;
  /** Keys whose reported labels do not count. */
  operatorLabels: readonly string[];
}

export interface ServiceLabels extends AgentLabels {
  /** The labels that its agent reports for itself, and those that are assigned to the agent. */
  agentLabels: Labels;
  agentAssignedLabels: Labels;
}

/** A row's labels as JSON texts. `operatorLabels` is null if the setting has its default. */
export type LabelTexts<L> = {
  [Name in keyof L]: string | (Name extends "operatorLabels" ? null : never);
};

export function parseAgentLabels(row: LabelTexts<AgentLabels>): AgentLabels {
  return {
    labels: JSON.parse(row.labels),
    assignedLabels: JSON.parse(row.assignedLabels),
    operatorLabels: JSON.parse(row.operatorLabels ?? "[]"),
  };
}

export function parseServiceLabels(row: LabelTexts<ServiceLabels>): ServiceLabels {
  return {
    ...parseAgentLabels(row),
    agentLabels: JSON.parse(row.agentLabels),
    agentAssignedLabels: JSON.parse(row.agentAssignedLabels),
  };
}

/** Returns the labels of an agent that count. Assigned labels override reported ones. */
export function labelsOfAgent({ labels, assignedLabels, operatorLabels }: AgentLabels): Labels {
  return { ...reportable(labels, operatorLabels), ...assignedLabels };
}

/**
 * Returns the labels of a service that count. If several labels have the same key, the first of
 * these counts: the label assigned to the service, the label assigned to its agent, the label
 * reported for the service, the label reported for its agent.
 */
export function labelsOfService(of: ServiceLabels): Labels {
  return {
    ...reportable(of.agentLabels, of.operatorLabels),
    ...reportable(of.labels, of.operatorLabels),
    ...of.agentAssignedLabels,
    ...of.assignedLabels,
  };
}

function reportable(labels: Labels, operatorLabels: readonly string[]): Labels {
  if (operatorLabels.length === 0) return labels;
  return Object.fromEntries(
    Object.entries(labels).filter(([key]) => !operatorLabels.includes(key)),
  );
}

/**
 * `USED`: the label counts. `OVERRIDDEN`: another label with the same key counts. `IGNORED`: agents
 * cannot report labels with this key.
 */
export const labelStates = ["USED", "OVERRIDDEN", "IGNORED"] as const;

interface LabelSource {
  key: string;
  value: string;
  source: "ASSIGNED" | "REPORTED";
  of: "AGENT" | "SERVICE";
  state: (typeof labelStates)[number];
}

export function sourcesOfAgent({ labels, assignedLabels, operatorLabels }: AgentLabels) {
  return sourcesOf(
    [
      { labels: assignedLabels, source: "ASSIGNED", of: "AGENT" },
      { labels, source: "REPORTED", of: "AGENT" },
    ],
    operatorLabels,
  );
}

export function sourcesOfService(of: ServiceLabels): LabelSource[] {
  return sourcesOf(
    [
      { labels: of.assignedLabels, source: "ASSIGNED", of: "SERVICE" },
      { labels: of.agentAssignedLabels, source: "ASSIGNED", of: "AGENT" },
      { labels: of.labels, source: "REPORTED", of: "SERVICE" },
      { labels: of.agentLabels, source: "REPORTED", of: "AGENT" },
    ],
    of.operatorLabels,
  );
}

type Origin = Pick<LabelSource, "source" | "of"> & { labels: Labels };

/** Lists all labels. Those of earlier origins come first and take precedence. */
function sourcesOf(origins: readonly Origin[], operatorLabels: readonly string[]): LabelSource[] {
  const used = new Set<string>();
  return origins.flatMap(({ labels, source, of }) =>
    Object.entries(labels).map(([key, value]): LabelSource => {
      const isIgnored = source === "REPORTED" && operatorLabels.includes(key);
      const state = isIgnored ? "IGNORED" : used.has(key) ? "OVERRIDDEN" : "USED";
      if (!isIgnored) used.add(key);
      return { key, value, source, of, state };
    }),
  );
}

/**
 * Whether `ours` has all of `needed`. Without an owner's decision, a service with assigned labels
 * passes to another agent only if the same labels are assigned to that agent.
 */
export function hasAllLabels(ours: Labels, needed: Labels): boolean {
  return Object.entries(needed).every(([key, value]) => ours[key] === value);
}

/** For messages, such as `env=prod, team=web`. */
export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
}

/** Null removes a label. */
export type LabelChanges = Readonly<Record<string, string | null>>;

export function changedLabels(before: Labels, changes: LabelChanges): Labels {
  const after = { ...before, ...changes };
  return Object.fromEntries(
    Object.entries(after).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Returns the keys of a selector that agents can report. */
export function reportableKeys(selector: Selector, operatorLabels: readonly string[]): string[] {
  const keys = new Set(selector.map(({ key }) => key));
  return [...keys].filter((key) => !operatorLabels.includes(key));
}
