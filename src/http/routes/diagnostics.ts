// Binds the route of api/diagnostics.ts to its use case.

import { contractVersion } from "../../api/contract/route.ts";
import type { diagnostics } from "../../api/diagnostics.ts";
import { getDiagnostics } from "../../core/system/diagnostics.ts";
import type { HandlersOf } from "../dispatch.ts";

export const diagnosticsHandlers: HandlersOf<typeof diagnostics> = {
  "diagnostics.get": async (ctx) => {
    const { service, ...rest } = await getDiagnostics(ctx);
    return { service: { ...service, contractVersion }, ...rest };
  },
};
