// The state of a dialog that a URL can open, such as `/registration-tokens?new=1`.

import { useSearchParams } from "react-router";

export function useOpened(parameter: string): [isOpen: boolean, close: () => void] {
  const [address, setAddress] = useSearchParams();
  const close = () =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(parameter);
        return next;
      },
      { replace: true },
    );
  return [address.has(parameter), close];
}
