// The request of a preview or an apply, with its documents checked.

import type { declarations } from "../../api/declarations.ts";
import type { CheckedDocument } from "../../api/shapes/declared-documents.ts";
import type { Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";

type Unchecked = Body<typeof declarations, "declarations.preview">;
type Declared = Omit<Unchecked["documents"][number], "document">;

export interface Request extends Pick<Unchecked, "set" | "prune"> {
  documents: (Declared & CheckedDocument)[];
}

/** Spends budget for each document, because checking a thousand of them takes most of a second. */
export async function checkedRequest(
  { budget }: Ctx,
  { set, prune, documents }: Unchecked,
): Promise<Request> {
  const request: Request = { set, prune, documents: [] };
  for (const { document, ...declared } of documents) {
    request.documents.push({ ...declared, ...document() });
    await budget.spend();
  }
  return request;
}
