// What commands show if a policy requires approval of what they were to run.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import { exit } from "../../exit.ts";
import { viewOf } from "../../nouns/view.ts";
import { isForPeople, type OutputOptions, printOne } from "../../output/output.ts";
import type { Io } from "../../terminal/io.ts";

type Approval = NonNullable<Reply<"actions.execute">["approval"]>;

/** Prints the request, and returns the exit status. */
export function printAwaited(io: Io, options: OutputOptions, approval: Approval): number {
  const names = approval.policies.map(({ policyName }) => policyName).join(", ");
  printOne(io, options, approval, viewOf<Approval>(nouns.approvals), () => []);
  if (isForPeople(options)) {
    io.note(
      `\nNothing was run: it needs approval (${names}). To follow the request: platformctl approvals get ${approval.id}\n`,
    );
  }
  return exit.stillPending;
}
