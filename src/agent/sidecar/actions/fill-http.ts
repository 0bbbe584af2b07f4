// A payload value cannot leave its path segment, query value or header. Parameters and headers
// without a value are omitted.

import type { JsonObject } from "../../../domain/payload/json.ts";
import { fill, placeholdersIn, refuseValue } from "./template.ts";

/** Throws ActionError PAYLOAD_INVALID. */
export function fillUrl(template: string, payload: JsonObject): string {
  const [, address = "", query, fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(template) ?? [];
  const segments = address.split("/").map((segment) => fillSegment(segment, payload));
  const parameters = (query?.slice(1).split("&") ?? []).flatMap(
    (parameter) => fill(parameter, payload, encodeURIComponent) ?? [],
  );
  const filledQuery = parameters.length > 0 ? `?${parameters.join("&")}` : "";
  return segments.join("/") + filledQuery + fragment;
}

/** Returns null if the payload has no value. Throws ActionError PAYLOAD_INVALID. */
export function fillHeader(template: string, payload: JsonObject): string | null {
  const value = fill(template, payload);
  const isUnfit =
    value !== null && placeholdersIn(template).length > 0 && !/^[\t -~\xa0-ÿ]*$/.test(value);
  if (isUnfit) refuseValue(template, "has characters that are not allowed in a header");
  return value;
}

/** Returns a message for operators if the host or port comes from the payload; otherwise null. */
export function problemOfUrl(template: string): string | null {
  const [origin = ""] = /^[a-z]+:\/\/[^/?#]*/i.exec(template) ?? [];
  if (placeholdersIn(template).length === placeholdersIn(template.slice(origin.length)).length)
    return null;
  return "the host and the port cannot come from the payload";
}

function fillSegment(template: string, payload: JsonObject): string {
  const segment = fill(template, payload, encodeURIComponent);
  if (segment !== null && placeholdersIn(template).length === 0) return segment;
  if (segment === null || segment === "") refuseValue(template, "is required for the URL");
  // URL parsers would resolve the segment to another path.
  if (/^(\.|%2e){1,2}$/i.test(segment)) refuseValue(template, 'must not be "." or ".."');
  return segment;
}
