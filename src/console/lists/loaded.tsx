// What is shown while an answer comes, when it does not, and then the answer.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../components/failure.tsx";
import { texts } from "../texts/index.ts";

/** What was read before stays while it is read anew, also when that fails: the failure comes above it. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = query;
  return (
    <>
      <Failure error={error} onRetry={() => void refetch()} />
      {data !== undefined && children(data)}
      {data === undefined && !error && (
        <p className="muted" role="status">
          {texts.words.loading}
        </p>
      )}
    </>
  );
}
