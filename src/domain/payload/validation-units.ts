// The findings of the JSON Schema validator: one unit for each keyword that failed, and one for
// each keyword that contains it.

import type { OutputUnit } from "@cfworker/json-schema";
import { parsePointerFragment } from "../../lib/json/json-pointer.ts";

/** Returns the units that name a problem, without those that only contain others. */
export function leavesOf(units: readonly OutputUnit[]): OutputUnit[] {
  return units.filter((unit) => {
    const below = `${unit.keywordLocation}/`;
    return !units.some(
      (other) =>
        other.keywordLocation.startsWith(below) &&
        other.instanceLocation.startsWith(unit.instanceLocation),
    );
  });
}

export function instancePath({ instanceLocation }: OutputUnit): string[] {
  return parsePointerFragment(instanceLocation) ?? [];
}
