import type { Reply } from "../../client/call.ts";

export function mayBeRetried({
  type,
  status,
}: Pick<Reply<"commands.list">[number], "type" | "status">): boolean {
  return type === "ACTION_EXECUTE" && (status === "FAILED" || status === "CANCELLED");
}
