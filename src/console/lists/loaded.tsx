// Shows data from the server. Until the data arrives, shows a loading message or the error.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../components/failure.tsx";
import { texts } from "../texts/index.ts";

/** If loading the data again fails, the error appears above the earlier data. */
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
      {data === undefined && !error && <Loading />}
    </>
  );
}

export function Loading() {
  return (
    <p className="muted" role="status">
      {texts.words.loading}
    </p>
  );
}
