// Shows data from the server. Until the data arrives, shows a loading message or the error.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "../components/failure.tsx";
import { texts } from "../texts/index.ts";
import "./loaded.css";

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

/**
 * The content below this stays invisible, so that nothing moves when the data arrives.
 */
export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">{texts.words.loading}</span>
      <span className="skeleton" aria-hidden="true" />
    </div>
  );
}

/** Like `Loading`, but shows nothing: for a small part that may stay empty, such as a notice. */
export function LoadingMark() {
  return <span className="loading" hidden />;
}
