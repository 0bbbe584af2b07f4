// The conditions of a selector (domain/selectors.ts) in SQL. Each one reads an index of labels once, instead
// of the labels of every agent or service.

import { isNegative, type Requirement, type Selector } from "../domain/selectors.ts";
import { marks } from "./blocks.ts";
import type { SqlCondition } from "./filters.ts";

/** Conditions for the agents `a`. */
export function agentConditions(selector: Selector = []): SqlCondition[] {
  return selector.map((requirement) => {
    const [labelled, ...params] = ofAgents(requirement);
    return [`${not(requirement)}a.id IN (${labelled})`, ...params];
  });
}

/** Conditions for the services `s`. A service has its own labels, and those of its agent besides. */
export function serviceConditions(selector: Selector = []): SqlCondition[] {
  return selector.map((requirement) => {
    const [own, ...ownParams] = ofServices(requirement);
    const [inherited, ...agentParams] = ofAgents(requirement);
    const sql = `${not(requirement)}(s.id IN (${own}) OR (s.agent_id IN (${inherited})
      AND s.id NOT IN (SELECT service_id FROM service_labels WHERE key = ?)))`;
    return [sql, ...ownParams, ...agentParams, requirement.key];
  });
}

function not({ operator }: Requirement): string {
  return isNegative(operator) ? "NOT " : "";
}

const ofAgents = (requirement: Requirement) =>
  withLabel("SELECT agent_id FROM agent_labels", requirement);
const ofServices = (requirement: Requirement) =>
  withLabel("SELECT service_id FROM service_labels", requirement);

function withLabel(select: string, { key, values }: Requirement): SqlCondition {
  const ofValue = values.length === 0 ? "" : ` AND value IN (${marks(values.length)})`;
  return [`${select} WHERE key = ?${ofValue}`, key, ...values];
}
