// Shows data from the server, and until it arrives a loading message or the error.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../components/failure.tsx";
import { texts } from "../texts/index.ts";

/** Earlier data stays while it is read again. If that fails, the error appears above it. */
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
