// The fields of the page that show an error. They are read from the page, because each field
// decides by itself when it shows its error (shown-error.ts).

import { useEffect, useState } from "react";

interface InvalidField {
  element: HTMLElement;
  label: string;
}

export function useInvalidFields(): readonly InvalidField[] {
  const [fields, setFields] = useState<readonly InvalidField[]>([]);
  useEffect(() => {
    const page = document.querySelector("main");
    if (page === null) return;
    const read = () => setFields((before) => changed(before, invalidIn(page)));
    const observer = new MutationObserver(read);
    const attributeFilter = ["aria-invalid"];
    observer.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter });
    return () => observer.disconnect();
  }, []);
  return fields;
}

/** Returns `before` if nothing has changed, so that React does not render the page again. */
function changed(before: readonly InvalidField[], now: readonly InvalidField[]) {
  const isSame =
    before.length === now.length && now.every(({ element }, at) => before[at]?.element === element);
  return isSame ? before : now;
}

/** Returns a group of checkboxes as one field. */
function invalidIn(page: HTMLElement): InvalidField[] {
  const found = [...page.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]
    .filter((element) => element.closest("dialog") === null)
    .map((element) => ({ element, label: labelOf(element) }));
  return found.filter(({ label }, at) => found.findIndex((each) => each.label === label) === at);
}

function labelOf(element: HTMLElement): string {
  const group = element.closest("fieldset.choices")?.querySelector("legend");
  const label = group ?? (element as HTMLInputElement).labels?.[0];
  // The first child is the label without the word "required".
  return label?.firstChild?.textContent?.trim() ?? element.getAttribute("aria-label") ?? "";
}
