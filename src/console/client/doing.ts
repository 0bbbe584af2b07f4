// Something that is done, once at a time: what React shows of it comes a moment after it has begun, and a
// second click may come before that.

import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import type { Failing } from "./api-error.ts";

export type Doing<Done, Given> = Pick<
  UseMutationResult<Done, Failing, Given>,
  "mutate" | "reset" | "data" | "error" | "isPending" | "isSuccess" | "submittedAt"
>;

/** As `useMutation`; while it is under way, to begin it again or to forget it does nothing. */
export function useDoing<Done, Given = void>(
  options: UseMutationOptions<Done, Failing, Given>,
): Doing<Done, Given> {
  const mutation = useMutation<Done, Failing, Given>(options);
  const isUnderWay = useRef(false);
  useLayoutEffect(() => {
    if (!mutation.isPending) isUnderWay.current = false;
  });
  return {
    ...mutation,
    mutate(...given) {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(...given);
    },
    reset() {
      if (!isUnderWay.current) mutation.reset();
    },
  };
}
