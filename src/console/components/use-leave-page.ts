// Opens another page when a change of this page is done. By then, the user may already have left
// the page, and may be writing something on another one.

import { useLayoutEffect, useRef } from "react";
import { type NavigateOptions, useNavigate } from "react-router";

export type LeavePage = (to: string, options?: NavigateOptions) => void;

/** Like `useNavigate`, but the returned function does nothing once the component is gone. */
export function useLeavePage(): LeavePage {
  const navigate = useNavigate();
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (to, options) => {
    if (isShown.current) void navigate(to, options);
  };
}
