import type { declarations } from "../../api/declarations.ts";
import type { Body } from "../handlers.ts";

/** The request of a preview and of an apply. */
export type Request = Body<typeof declarations, "declarations.preview">;
