// The list of events of the bus, with what became of each.

import { NounList } from "../../../nouns/noun-list.tsx";
import { BusPage } from "../bus-page.tsx";
import { type BusEventRow, Outcomes } from "./outcomes.tsx";

const cells = { outcome: ({ routes }: BusEventRow) => <Outcomes matches={routes} /> };

export function Component() {
  return <NounList noun="bus-events" frame={BusPage} cells={cells} />;
}
