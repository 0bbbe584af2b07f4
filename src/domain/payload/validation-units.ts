// What the JSON Schema validator reports: a unit for each keyword that failed, and one for each that contains it.

import type { OutputUnit } from "@cfworker/json-schema";
import { parsePointerFragment } from "../../lib/json/json-pointer.ts";

/** The units that say what is wrong, without those that only say that something in them is. */
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

/** Where in the payload: names, and numbers of items. */
export function instancePath({ instanceLocation }: OutputUnit): string[] {
  return parsePointerFragment(instanceLocation) ?? [];
}
