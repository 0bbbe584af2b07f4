import { ApiError } from "../client/api-error.ts";

/** An error from the server that has every possible detail. */
export const refused = new ApiError(
  409,
  {
    code: "CONFLICT",
    message: "The schedule was changed by somebody else.",
    details: { issues: [{ path: "name", message: "is taken" }] },
    requestId: "req_example",
  },
  30,
);
