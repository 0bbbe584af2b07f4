// Why the last active owner stays one, and what to do first.

import { ApiError } from "../../client/api-error.ts";
import { texts } from "../../texts/index.ts";

export function LastOwner({ error }: { error: unknown }) {
  if (!isLastOwner(error)) return null;
  return (
    <div className="failure" role="alert">
      <p>{texts.users.lastOwner}</p>
    </div>
  );
}

export function isLastOwner(error: unknown): boolean {
  return error instanceof ApiError && error.code === "LAST_OWNER";
}
