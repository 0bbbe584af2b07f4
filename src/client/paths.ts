import { routeFacts } from "../domain/route-facts.ts";
import { redacted, redactText } from "../domain/secrets/redaction.ts";
import { isSecretName } from "../domain/secrets/secrecy.ts";

/**
 * Returns how much longer than usual this path's route may take to respond, in seconds. The path of
 * a slow route must have no parameters.
 */
export function slowSecondsOf(method: string, path: string): number {
  const [place = "", query] = path.split("?");
  const waits = Number(new URLSearchParams(query).get("wait") ?? 0);
  const slow = Object.values(routeFacts).find(
    (spec) => spec.slowSeconds && spec.method === method && spec.path === place,
  );
  return (waits > 0 ? waits : 0) + (slow?.slowSeconds ?? 0);
}

/** Removes tokens, and the values of parameters that look secret. */
export function shownPath(path: string): string {
  const mark = path.indexOf("?");
  if (mark === -1) return redactText(path);
  const pairs = path.slice(mark + 1).split("&");
  const shown = pairs.map((pair) => {
    const [name = "", value] = pair.split("=");
    return value !== undefined && isSecretName(name) ? `${name}=${redacted}` : pair;
  });
  return redactText(`${path.slice(0, mark)}?${shown.join("&")}`);
}
