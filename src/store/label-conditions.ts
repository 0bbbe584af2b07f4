// Translates selectors (domain/fleet/selectors.ts) into SQL conditions on the labels that count
// (domain/fleet/labels.ts). Each condition reads an index of labels once, instead of the labels of
// every agent or service. In the label tables, assigned labels have already replaced reported
// labels with the same key.

import { operatorLabelPattern } from "../domain/fleet/labels.ts";
import { isNegative, type Requirement, type Selector } from "../domain/fleet/selectors.ts";
import { placeholders } from "./blocks.ts";
import type { SqlCondition } from "./filters.ts";

/** The keys of labels that agents cannot report, as JSON; NULL by default. */
const operatorLabels = "(SELECT value FROM settings WHERE key = 'operatorLabels')";

/**
 * The columns of AgentLabels for the agent `a`, and of ServiceLabels for the service `s` of `a`.
 */
export const agentLabelColumns = `a.labels, a.assigned_labels AS "assignedLabels",
  ${operatorLabels} AS "operatorLabels"`;
export const serviceLabelColumns = `s.labels, s.assigned_labels AS "assignedLabels",
  a.labels AS "agentLabels", a.assigned_labels AS "agentAssignedLabels",
  ${operatorLabels} AS "operatorLabels"`;

/** SQL that is true if agents cannot report the key. `key` is an SQL expression. */
export const isOperatorLabel = (key: string) =>
  `COALESCE(INSTR(${operatorLabels}, '"' || ${key} || '"'), 0) > 0`;

/** Returns conditions on the agents `a`. */
export function agentConditions(selector: Selector = []): SqlCondition[] {
  return selector.map((requirement) => signed(requirement, ofAgents(requirement, "any")));
}

/**
 * Returns conditions on the services `s`. Each part of the OR begins with a condition for which
 * there is an index.
 */
export function serviceConditions(selector: Selector = []): SqlCondition[] {
  return selector.map((requirement) => {
    const anyValue = { key: requirement.key, values: [] };
    const condition = either(
      ofServices(requirement, "assigned"),
      both(ofServices(requirement, "reported"), not(ofAgentsOfServices(anyValue, "assigned"))),
      both(ofAgentsOfServices(requirement, "assigned"), not(ofServices(anyValue, "assigned"))),
      both(ofAgentsOfServices(requirement, "reported"), not(ofServices(anyValue, "any"))),
    );
    return signed(requirement, condition);
  });
}

/** Whether neither the service `s` nor its agent has an assigned label with the key. */
export function lacksAssigned(key: string): SqlCondition {
  const anyValue = { key, values: [] };
  return both(not(ofServices(anyValue, "assigned")), not(ofAgentsOfServices(anyValue, "assigned")));
}

type Wanted = Pick<Requirement, "key" | "values">;
/** `reported` and `any` leave out reported labels with keys that agents cannot report. */
type Origin = "assigned" | "reported" | "any";

const ofAgents = labelled("a.id", "agent_id", "agent_labels");
const ofAgentsOfServices = labelled("s.agent_id", "agent_id", "agent_labels");
const ofServices = labelled("s.id", "service_id", "service_labels");

function labelled(id: string, column: string, table: string) {
  return ({ key, values }: Wanted, origin: Origin): SqlCondition => {
    const ofValue = values.length === 0 ? "" : ` AND value IN (${placeholders(values.length)})`;
    const ids = `SELECT ${column} FROM ${table} WHERE key = ?${ofValue} AND ${countsFor(key, origin)}`;
    return [`${id} IN (${ids})`, key, ...values];
  };
}

function countsFor(key: string, origin: Origin): string {
  if (origin === "assigned") return "assigned = 1";
  const isReportable = operatorLabelPattern.test(key) ? `NOT ${isOperatorLabel("key")}` : "1 = 1";
  return origin === "reported"
    ? `assigned = 0 AND ${isReportable}`
    : `(assigned = 1 OR ${isReportable})`;
}

const signed = ({ operator }: Requirement, condition: SqlCondition) =>
  isNegative(operator) ? not(condition) : condition;
const not = ([sql, ...params]: SqlCondition): SqlCondition => [`NOT (${sql})`, ...params];
const both = (...all: SqlCondition[]) => joined(" AND ", all);
const either = (...all: SqlCondition[]) => joined(" OR ", all);

function joined(by: string, all: readonly SqlCondition[]): SqlCondition {
  const sql = all.map(([each]) => each).join(by);
  return [`(${sql})`, ...all.flatMap(([, ...params]) => params)];
}
