import { cells } from "../../../api/contract/cells.ts";
import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { callNamed } from "../../names/resolve.ts";
import { printOne, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { tableSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";

type Tested = Reply<"approval-policies.test">;

const view: View<Tested> = {
  columns: [
    { name: "policy", value: ({ policy }) => policy?.name ?? "none: it needs no approval" },
    { name: "approvals", value: ({ policy }) => policy?.approvals },
    { name: "approvers", value: ({ policy }) => policy && cells.policyApprovers(policy) },
    { name: "expires after", value: ({ policy }) => policy && cells.policyExpiry(policy) },
  ],
  nameOf: ({ policy }) => policy?.name ?? "none",
};

export async function testPolicies({ io, args, options, client }: Invocation): Promise<void> {
  const [serviceText = "", action = ""] = args;
  const api = await client();
  const tested = await callNamed(api, nouns.services, serviceText, (serviceId) =>
    api.call("approval-policies.test", { query: { serviceId, action } }),
  );
  printOne(io, options, tested, view, () => [comparedText(io, tested)]);
}

function comparedText(io: Io, { policies }: Tested): string {
  const at = policies.findIndex(({ counts }) => counts);
  const rows = policies.map(({ order, name, counts, reason }, index) => {
    const isLater = at >= 0 && index > at;
    const why = reason ?? (isLater ? "An earlier policy counts." : "It matches.");
    return [String(order), printableLine(name), counts ? "yes" : "no", printableLine(why)];
  });
  return tableSection(io, "compared", ["order", "policy", "counts", "why"], rows);
}
