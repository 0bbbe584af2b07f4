// Whatever users decide and however users change, a request runs if and only if enough different
// users who may approve at that moment have approved it.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Role } from "../../../src/domain/access/principals.ts";
import { size } from "../../helpers/size.ts";
import { outcome } from "../refusals.ts";
import { openApprovals } from "./scene.ts";

const names = ["ann", "ben", "cleo", "olga"] as const;
const approverSets = [
  { role: "operator" },
  { role: "owner" },
  { users: ["ben", "olga"] },
  { users: ["ann", "cleo", "ben"] },
] as const;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("approve"), who: fc.constantFrom(...names) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom("ACTIVE", "DISABLED", "viewer", "operator", "owner"),
      who: fc.constantFrom(...names),
    }),
  },
);

/** Ben's approval counts only when he repeats it, because he was a viewer when Cleo approved. */
const repeated = {
  approvers: approverSets[0],
  approvals: 2 as const,
  requester: "ann" as const,
  steps: [
    { act: "approve" as const, who: "ben" as const },
    { act: "viewer" as const, who: "ben" as const },
    { act: "approve" as const, who: "cleo" as const },
    { act: "owner" as const, who: "ben" as const },
    { act: "approve" as const, who: "ben" as const },
  ],
};

test("a request runs if and only if its requirements are satisfied", async () => {
  const scene = await openApprovals(null);
  const { owner, addPolicy, change, asPrincipal, person } = scene;
  // There must always be an owner who is active.
  await person("oscar", "owner");
  const people = { ann: scene.ann, ben: scene.ben, cleo: scene.cleo, olga: scene.olga };
  const initially = { ann: "operator", ben: "operator", cleo: "operator", olga: "owner" } as const;
  const { id: policyId } = await addPolicy();
  let version = 1;
  const history = fc.record({
    approvers: fc.constantFrom(...approverSets),
    approvals: fc.constantFrom(1 as const, 2 as const),
    requester: fc.constantFrom(...names),
    steps: fc.array(step, { minLength: 1, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ approvers, approvals, requester, steps }) => {
      const users = new Map(
        names.map((name) => [name, { role: initially[name] as Role, on: true }]),
      );
      for (const name of names) {
        await change(people[name].id, { status: "ACTIVE", role: initially[name] });
      }
      const rule = { name: "dangerous", dangerLevel: "HIGH", approvers, approvals, version };
      const params = { policyId };
      const updated = await owner.call("approval-policies.update", { params, body: rule as never });
      version = updated.version;
      const id = await scene.ask(people[requester].client);
      const approved = new Set<string>();
      let state = "AWAITING_APPROVAL";
      const isEligible = (name: (typeof names)[number]) => {
        const { role, on } = users.get(name)!;
        if (!on || role === "viewer" || name === requester) return false;
        if ("role" in approvers) return approvers.role === "operator" || role === "owner";
        return (approvers.users as readonly string[]).includes(name);
      };
      for (const { act, who } of steps) {
        const user = users.get(who)!;
        if (act === "approve") {
          const session = { userId: people[who].id, username: who, sessionId: "ses_p" };
          const by = asPrincipal({ kind: "user", ...session, role: "operator" });
          const result = await outcome(scene.approve(id, by));
          if (state !== "AWAITING_APPROVAL") {
            expect(result).toBe("APPROVAL_WRONG_STATE");
          } else if (who === requester) {
            expect(result).toBe("OWN_REQUEST");
          } else if (!isEligible(who)) {
            expect(result).toBe("NOT_AN_APPROVER");
          } else {
            approved.add(who);
            // A repeated approval is counted again, because users may have changed.
            const counted = names.filter((name) => approved.has(name) && isEligible(name));
            if (counted.length >= approvals) {
              const asker = users.get(requester)!;
              state = asker.on && asker.role !== "viewer" ? "APPROVED" : "FAILED";
            }
            expect(result).toMatchObject({ state });
          }
        } else if (act === "ACTIVE" || act === "DISABLED") {
          user.on = act === "ACTIVE";
          await change(people[who].id, { status: act });
        } else {
          user.role = act as Role;
          await change(people[who].id, { role: act });
        }
      }
      const { commandId } = await scene.detail(id);
      expect(commandId !== null).toBe(state === "APPROVED");
    }),
    { numRuns: size(12, 200), examples: [[repeated]] },
  );
}, 120_000);
