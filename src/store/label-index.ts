// The tables in which selectors look up the labels of agents and services (label-conditions.ts).

import type { Labels } from "../domain/fleet/labels.ts";
import { toFlag } from "./columns.ts";
import type { Tx } from "./database.ts";
import { inserter } from "./rows.ts";

/** An agent or a service, with the labels that were reported for it. */
interface Labelled {
  id: string;
  labels: Labels;
}

export const agentLabelIndex = labelIndex("agent");
export const serviceLabelIndex = labelIndex("service");

function labelIndex(noun: "agent" | "service") {
  const insert = inserter<string>(`${noun}_labels`, [`${noun}_id key value assigned`]);

  /** Writes the labels of a new agent or service. `assigned` are the labels that owners assign. */
  async function add(tx: Tx, { id, labels }: Labelled, assigned: Labels = {}): Promise<void> {
    for (const [key, value] of Object.entries({ ...labels, ...assigned })) {
      const isAssigned = toFlag(Object.hasOwn(assigned, key));
      await insert(tx, { [`${noun}Id`]: id, key, value, assigned: isAssigned });
    }
  }

  async function replace(tx: Tx, labelled: Labelled, assigned: Labels): Promise<void> {
    await tx.run(`DELETE FROM ${noun}_labels WHERE ${noun}_id = ?`, labelled.id);
    await add(tx, labelled, assigned);
  }

  /** Stores the labels that owners assign, also in the agent or service itself. */
  async function assign(tx: Tx, labelled: Labelled, assigned: Labels): Promise<void> {
    await tx.run(
      `UPDATE ${noun}s SET assigned_labels = ?, updated_at = ? WHERE id = ?`,
      ...[JSON.stringify(assigned), tx.now, labelled.id],
    );
    await replace(tx, labelled, assigned);
  }

  return { add, replace, assign };
}
