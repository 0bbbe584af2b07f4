// Shows data from the server. Until the data arrives, shows a loading message or the error.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Unreachable } from "../client/api-error.ts";
import { Failure } from "../components/failure.tsx";
import { useLiveStatus } from "../live/live.tsx";
import { texts } from "../texts/index.ts";
import "./loaded.css";

/** If a later read fails, the error appears above the earlier data. */
export function Loaded<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = query;
  const unsaid = useUnsaidError(error, data !== undefined);
  return (
    <>
      <Failure error={unsaid} onRetry={() => void refetch()} />
      {data !== undefined && children(data)}
      {data === undefined && !error && <Loading />}
    </>
  );
}

/**
 * Returns the error to show for data that could not be read. Returns null if the earlier data is
 * shown (`isShown`) and the frame of the page already says that the server cannot be reached.
 */
export function useUnsaidError<E>(error: E, isShown: boolean): E | null {
  const isDown = useLiveStatus() === "down";
  return isDown && isShown && error instanceof Unreachable ? null : error;
}

/** While the page loads for the first time, keeps the content below it invisible. */
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
