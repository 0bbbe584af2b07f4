// Reads the offer with which an action's page was opened. The offer is in the result of a command.

import { useEffect, useMemo } from "react";
import { useSearchParams } from "react-router";
import { isJsonObject } from "../../domain/payload/json.ts";
import { findOffer, type Offer } from "../../domain/results/offers.ts";
import { structuredResult } from "../../domain/results/structured-result.ts";
import { type Command, commandState, readCommand, useCommandState } from "../client/command.ts";

type OfferState =
  /** `none`: the page was not opened from an offer. */
  | { kind: "none" | "loading" }
  | { kind: "ready"; offer: Offer; commandId: string }
  /** The command cannot be read, or does not offer this action. */
  | { kind: "gone" };

export function useOffer(serviceId: string, actionName: string): OfferState {
  const [query] = useSearchParams();
  const commandId = query.get("from");
  const name = query.get("offer");
  const { command, error } = useCommandState(commandId);
  useEffect(() => {
    if (commandId !== null && commandState(commandId).command === null) void readCommand(commandId);
  }, [commandId]);
  return useMemo(() => {
    if (commandId === null || name === null) return { kind: "none" };
    if (!command) return { kind: error ? "gone" : "loading" };
    const offer = command.serviceId === serviceId ? offerIn(command, name) : null;
    return offer?.action === actionName ? { kind: "ready", offer, commandId } : { kind: "gone" };
  }, [command, error, commandId, name, serviceId, actionName]);
}

/** The result of a preparation offers actions in `currentState`. */
function offerIn({ type, result }: Command, name: string): Offer | null {
  const output = result?.output;
  const shown = type === "ACTION_PREPARE" && isJsonObject(output) ? output.currentState : output;
  const found = structuredResult(shown);
  return found && findOffer(found, name);
}
