// The actions that a structured result offers, each with a short name for URLs: `row-0-12` is the
// first action for the thirteenth row, and `page-0` the first action for the whole list.

import type { JsonObject } from "../payload/json.ts";
import { fillFrom } from "./result-values.ts";
import {
  type NextAction,
  type ResultDetail,
  readDetail,
  type StructuredResult,
} from "./structured-result.ts";

export type OfferName = `row-${number}-${number}` | `page-${number}` | `detail-${number}`;

export interface Offer {
  action: string;
  label: string;
  danger: boolean;
  /** The values that the form shows at first. */
  payload: JsonObject;
  /** What to show beside the form, or null. */
  detail: ResultDetail | null;
}

const nameForm = /^(?<place>row|page|detail)-(?<action>\d{1,3})(?:-(?<row>\d{1,8}))?$/;

/** Returns null if the result offers nothing under this name. */
export function findOffer({ list, detail }: StructuredResult, name: string): Offer | null {
  const { place, action, row } = nameForm.exec(name)?.groups ?? {};
  const index = Number(action);
  switch (place) {
    case "row":
      return offerOf(list?.rowActions[index], list?.rows[Number(row)]);
    case "page":
      return offerOf(list?.pageActions[index], {});
    case "detail":
      return offerOf(detail?.actions[index], detail?.data);
    default:
      return null;
  }
}

/** Agents can put the facts to show beside the form into `__detail`, which is not sent. */
function offerOf(next: NextAction | undefined, row: JsonObject | undefined): Offer | null {
  if (!next || !row) return null;
  const { action, label, danger } = next;
  const { __detail, ...payload } = fillFrom(row, next.payload);
  return { action, label, danger, payload, detail: readDetail(__detail) };
}
