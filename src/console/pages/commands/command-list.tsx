import { NounList } from "../../nouns/noun-list.tsx";
import { commandCells } from "../../values/command-cells.tsx";

export function Component() {
  return <NounList noun="commands" cells={commandCells} />;
}
