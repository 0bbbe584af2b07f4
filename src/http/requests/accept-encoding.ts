// Which of the codings there are a client would rather have. (RFC 9110 12.5.3)

export type Coding = "br" | "gzip" | "identity";

/** The smallest first: it is taken where the client likes several as much. */
const byLiking: readonly Coding[] = ["br", "gzip", "identity"];

/** Without a word against it, a client takes what is not coded at all: after all that it has named. */
const leastWeight = 0.0001;

/** Of `available`. Whoever refuses all of it, or says nothing, gets it without a coding. */
export function chooseCoding(accepted: string | undefined, available: readonly Coding[]): Coding {
  let best: Coding = "identity";
  if (accepted === undefined) return best;
  const weights = weightsIn(accepted);
  let bestWeight = 0;
  for (const coding of byLiking) {
    if (!available.includes(coding)) continue;
    const unnamed = weights.get("*") ?? (coding === "identity" ? leastWeight : 0);
    const weight = weights.get(coding) ?? unnamed;
    if (weight <= bestWeight) continue;
    best = coding;
    bestWeight = weight;
  }
  return best;
}

/** By the names of codings, in lower case. A weight that cannot be read counts as a refusal. */
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
