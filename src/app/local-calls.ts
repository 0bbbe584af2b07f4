// Calls from within this process, which need no connection.

import type { LocalDoor, LocalPaths } from "../client/transport-local.ts";
import { presentCaller } from "../core/caller.ts";
import type { Principal } from "../domain/access/principals.ts";
import type { HttpOptions } from "../http/server.ts";

export interface LocalCalls {
  /** Calls routes by name from within this process. */
  localDoor(principal: Principal): LocalDoor;
  /** Calls routes by method and path from within this process. */
  localPaths(principal: Principal): LocalPaths;
}

export function localCallsOf(options: Pick<HttpOptions, "core" | "dispatch">): LocalCalls {
  return {
    localDoor(principal) {
      const local = localCaller(principal);
      return ({ caller = local.caller, ...request }) =>
        options.dispatch({ ...request, ...local, caller });
    },
    localPaths: (principal) => async (call) => {
      // Imported here because only calls by path need the router.
      const { callPath } = await import("../http/paths.ts");
      return callPath(options, localCaller(principal), call);
    },
  };
}

function localCaller(principal: Principal) {
  const none = { bearer: null, requestId: null, ip: null, userAgent: null };
  return { principal, ...none, secure: false, isOwnUrl: () => false, caller: presentCaller };
}
