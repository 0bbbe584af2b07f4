// A user as the server tells it.

import type { Reply } from "../../client/call.ts";

export type User = Reply<"users.get">;
