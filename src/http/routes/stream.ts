// Binds the route of api/stream.ts to its use case.

import type { stream } from "../../api/stream.ts";
import { openStream } from "../../core/system/stream.ts";
import type { HandlersOf } from "../dispatch.ts";

export const streamHandlers: HandlersOf<typeof stream> = {
  "stream.open": (ctx, { query }) => openStream(ctx, query.types),
};
