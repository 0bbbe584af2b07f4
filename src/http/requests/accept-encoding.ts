// Chooses the content coding that a client prefers (RFC 9110, 12.5.3).

export type Coding = "br" | "gzip" | "identity";

/** The smallest result is first, because the first one wins if a client prefers several equally. */
const byPreference: readonly Coding[] = ["br", "gzip", "identity"];

/** `identity` is acceptable even if the header does not mention it, but only as the last choice. */
const leastWeight = 0.0001;

/** Returns `identity` if the client accepts none of `available` or sends no header. */
export function chooseCoding(accepted: string | undefined, available: readonly Coding[]): Coding {
  let best: Coding = "identity";
  if (accepted === undefined) return best;
  const weights = weightsIn(accepted);
  let bestWeight = 0;
  for (const coding of byPreference) {
    if (!available.includes(coding)) continue;
    const unnamed = weights.get("*") ?? (coding === "identity" ? leastWeight : 0);
    const weight = weights.get(coding) ?? unnamed;
    if (weight <= bestWeight) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

/** Returns the weights by coding. An invalid weight counts as a refusal. */
function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length);
    weights.set(name, given === undefined ? 1 : weightOf(given));
  }
  return weights;
}

function weightOf(text: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
