// Mutations that never run twice at the same time. React renders the running state a moment after
// the start, and the user may click again before that.

import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import type { Failing } from "./api-error.ts";

export type SingleMutation<Done, Given> = Pick<
  UseMutationResult<Done, Failing, Given>,
  "mutate" | "reset" | "data" | "error" | "isPending" | "isSuccess" | "submittedAt"
>;

/** Like `useMutation`, but `mutate` and `reset` do nothing while the mutation runs. */
export function useSingleMutation<Done, Given = void>(
  options: UseMutationOptions<Done, Failing, Given>,
): SingleMutation<Done, Given> {
  const mutation = useMutation<Done, Failing, Given>(options);
  const isRunning = useRef(false);
  useLayoutEffect(() => {
    if (!mutation.isPending) isRunning.current = false;
  });
  return {
    ...mutation,
    mutate(...given) {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(...given);
    },
    reset() {
      if (!isRunning.current) mutation.reset();
    },
  };
}
