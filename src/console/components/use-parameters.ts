// The parameters in the URL.

import { useSearchParams } from "react-router";

type Change = (values: Readonly<Record<string, string | null>>, replace?: boolean) => void;

/**
 * The returned function sets parameters. Null or an empty text removes a parameter. The page shows
 * the change at once: otherwise, the next click could undo it.
 */
export function useParameters(): [parameters: URLSearchParams, change: Change] {
  const [parameters, setParameters] = useSearchParams();
  const change: Change = (values, replace = true) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace, flushSync: true },
    );
  return [parameters, change];
}

/** The state of a dialog that a URL can open, such as `/registration-tokens?new=1`. */
export function useOpened(parameter: string): [isOpen: boolean, close: () => void] {
  const [parameters, change] = useParameters();
  return [parameters.has(parameter), () => change({ [parameter]: null })];
}
