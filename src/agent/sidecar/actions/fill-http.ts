// A call's URL and headers with the payload's values in them. In a URL a value is one segment of the
// path, or one value of the query, whatever characters it has. What has no value is left out: the
// parameter of the query, the header; a path cannot do without.

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

/** Null when it has no value: the header is not sent. Throws ActionError PAYLOAD_INVALID. */
export function fillHeader(template: string, payload: JsonObject): string | null {
  const value = fill(template, payload);
  const isUnfit =
    value !== null && placeholdersIn(template).length > 0 && !/^[\t -~\xa0-ÿ]*$/.test(value);
  if (isUnfit) refuseValue(template, "has characters that a header cannot carry");
  return value;
}

/** Why a payload must not be put into this URL, for an operator; null when it may. */
export function problemOfUrl(template: string): string | null {
  const [origin = ""] = /^[a-z]+:\/\/[^/?#]*/i.exec(template) ?? [];
  if (placeholdersIn(template).length === placeholdersIn(template.slice(origin.length)).length)
    return null;
  return "the host and the port cannot come from the payload";
}

function fillSegment(template: string, payload: JsonObject): string {
  const segment = fill(template, payload, encodeURIComponent);
  if (segment !== null && placeholdersIn(template).length === 0) return segment;
  if (segment === null || segment === "") refuseValue(template, "is needed for the URL");
  // As a browser reads them: another path than the one that is written down.
  if (/^(\.|%2e){1,2}$/i.test(segment)) refuseValue(template, 'must not be "." or ".."');
  return segment;
}
