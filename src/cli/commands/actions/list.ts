import type { Reply } from "../../../api/index.ts";
import { listedActions } from "../../../domain/fleet/services.ts";
import { actionTimeoutSeconds } from "../../../domain/limits.ts";
import type { Invocation } from "../../command.ts";
import { getNamed } from "../../names/resolve.ts";
import { printWhole } from "../../output/listing.ts";
import type { ListView } from "../../output/output.ts";

type Action = Reply<"services.get">["actions"][number];

const view: ListView<Action> = {
  columns: [
    { name: "name", value: (action) => action.name, kind: "key" },
    { name: "label", value: (action) => action.label },
    { name: "danger", value: (action) => action.dangerLevel, kind: "state" },
    { name: "confirm", value: (action) => (action.requiresConfirmation ? "yes" : "no") },
    { name: "timeout", value: (action) => timeoutOf(action) },
    { name: "fields", value: (action) => fieldsOf(action) },
    { name: "category", value: (action) => action.category, wide: true },
    { name: "description", value: (action) => action.description, wide: true },
  ],
  nameOf: (action) => action.name,
  whenEmpty: "This service's agent declares no actions.",
};

export async function listActions(invocation: Invocation): Promise<void> {
  const api = await invocation.client();
  const { actions } = await getNamed(api, "services", invocation.args[0] ?? "");
  const shown = invocation.options.hidden === true ? actions : listedActions(actions);
  printWhole(invocation, shown, view);
}

function timeoutOf({ timeoutSeconds }: Action): string {
  return `${timeoutSeconds ?? actionTimeoutSeconds.default}s`;
}

/** Marks required fields with a star. */
function fieldsOf({ inputSchema }: Action): string {
  const { properties, required } = inputSchema;
  const mandatory: unknown[] = Array.isArray(required) ? required : [];
  const isObject = typeof properties === "object" && properties !== null;
  const names = isObject && !Array.isArray(properties) ? Object.keys(properties) : [];
  return names.map((name) => (mandatory.includes(name) ? `${name}*` : name)).join(" ");
}
