// Runs an action after the confirmations that it needs. If the server asks for another
// confirmation, earlier ones stay valid.

import { useState } from "react";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { BypassState } from "../../approvals/break-glass.tsx";
import { ApiError } from "../../client/api-error.ts";
import type { Confirmation } from "../../client/call.ts";
import { useAct } from "../../client/queries.ts";
import type { LeavePage } from "../../components/use-leave-page.ts";
import { addressOf } from "../../nouns/addresses.ts";
import { atFields } from "./form/form-words.ts";
import type { Action, Prepared, Service } from "./preparation.tsx";

export interface Wanted {
  payload: JsonObject;
  /** The confirmation that the user must give; null while the action is sent without one. */
  asks: "confirm" | "queue" | null;
  confirmation: false | Confirmation;
  queue: boolean;
  /** Whether the danger level is HIGH in the catalogue or in a later answer from the server. */
  isHigh: boolean;
  isDisabled: boolean;
}

interface RunOptions {
  service: Service;
  action: Action;
  prepared: Prepared | undefined;
  reason: string;
  /** Whether to run the action only in the state that was prepared. */
  ifUnchanged: boolean;
  /** Whether a policy requires approval. */
  needsApproval: boolean;
  /**
   * Whether the agent is known to be out of reach, so that the first confirmation also queues the
   * command.
   */
  queues: boolean;
  glass: BypassState;
  leave: LeavePage;
}

export function useRun(options: RunOptions) {
  const { service, action, prepared, reason, ifUnchanged, needsApproval, queues } = options;
  const { glass, leave } = options;
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [issues, setIssues] = useState<ReturnType<typeof atFields>>([]);
  const [approvalId, setApprovalId] = useState<string | null>(null);
  const act = useAct("actions.execute", ({ command, approval }) => {
    if (command) leave(addressOf("commands", command.id));
    if (!approval) return;
    setWanted(null);
    setApprovalId(approval.id);
  });

  const run = (next: Wanted) => {
    setWanted(next);
    act.mutate(
      {
        params: { serviceId: service.id, actionName: action.name },
        query: { queue: next.queue },
        body: {
          payload: next.payload,
          confirmation: next.confirmation,
          ...(prepared?.command ? { prepareCommandId: prepared.command.id } : {}),
          ...(ifUnchanged ? { ifUnchanged } : {}),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
          ...glass.body,
        },
      },
      {
        onError: (failure) => {
          const isPayload = failure instanceof ApiError && failure.code === "PAYLOAD_INVALID";
          setIssues(isPayload ? atFields(failure.issues) : []);
          setWanted(isPayload ? null : afterRefusal(next, failure));
        },
      },
    );
  };
  const submit = (payload: JsonObject) => {
    const isHigh = action.dangerLevel === "HIGH";
    const asks = action.requiresConfirmation || isHigh || needsApproval ? "confirm" : null;
    const next: Wanted = {
      payload,
      asks,
      isHigh,
      confirmation: false,
      queue: false,
      isDisabled: false,
    };
    act.reset();
    if (asks) setWanted(next);
    else run(next);
  };
  return {
    wanted,
    issues,
    /** The request for approval that was made instead of a command. */
    approvalId,
    isPending: act.isPending,
    /** The error, unless it only led to the next confirmation. */
    error: wanted?.asks && wanted.asks === questionOf(act.error) ? null : act.error,
    submit,
    agree(confirmation: Confirmation) {
      if (wanted?.asks === "confirm") {
        run({ ...wanted, confirmation, queue: wanted.queue || queues });
      }
      if (wanted?.asks === "queue") run({ ...wanted, queue: true });
    },
    close() {
      setWanted(null);
      act.reset();
    },
    forgetIssues: () => setIssues([]),
  };
}

function questionOf(failure: unknown): Wanted["asks"] {
  const code = failure instanceof ApiError ? failure.code : null;
  if (code === "CONFIRMATION_REQUIRED") return "confirm";
  return code === "AGENT_OFFLINE" || code === "AGENT_DISABLED" ? "queue" : null;
}

/** Returns `wanted` unchanged if the error asks for no confirmation. */
export function afterRefusal(wanted: Wanted, failure: unknown): Wanted {
  const asks = questionOf(failure);
  if (asks === null || !(failure instanceof ApiError)) return wanted;
  return {
    ...wanted,
    asks,
    // The danger level may have changed since the form was opened.
    isHigh: wanted.isHigh || failure.details.dangerLevel === "HIGH",
    isDisabled: failure.code === "AGENT_DISABLED",
  };
}
