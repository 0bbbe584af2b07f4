import { ApiError } from "../client/api-error.ts";

/** An error of the server with everything that it can say. */
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
