import { nouns } from "../../../api/contract/nouns.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { isApproved, noteEnd } from "./asked.ts";
import { printApproval } from "./show.ts";
import { awaitApproval } from "./wait-for-approval.ts";

/** Returns 0 if the request was approved, and otherwise 8. */
export async function waitForApproval(invocation: Invocation): Promise<number> {
  const { io, args, options, signal, client } = invocation;
  const api = await client();
  const approvalId = await resolve(api, nouns.approvals, args[0] ?? "");
  const deadline = performance.now() + (options.timeout as number) * 1000;
  const approval = await awaitApproval({ io, api, signal, options }, approvalId, deadline);
  printApproval(io, options, approval);
  if (isApproved(approval)) return exit.done;
  noteEnd(io, options, approval);
  return exit.stillPending;
}
