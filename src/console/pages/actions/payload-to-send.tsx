// The payload in a dialog that asks for confirmation before it is sent.

import type { JsonObject } from "../../../domain/payload/json.ts";
import { texts } from "../../texts/index.ts";
import { JsonView } from "../../values/json-view.tsx";

export function PayloadToSend({ payload }: { payload: JsonObject }) {
  if (Object.keys(payload).length === 0) return <p>{texts.actions.confirm.empty}</p>;
  return <JsonView value={payload} label={texts.words.payload} />;
}
