// The button "Filter" with its menu, which has the filters of the list on the left and the control
// of the chosen filter on the right.

import { ListFilter } from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button } from "../../components/buttons/button.tsx";
import { whenFocusIsLost } from "../../components/focus/focus-main.ts";
import { TimeRange } from "../../lists/time-range.tsx";
import { texts } from "../../texts/index.ts";
import { ChoiceFacet, SeveralFacet } from "./choice-facets.tsx";
import { type FacetProps, isSet, isSeveral, titleOfFacet } from "./facets.ts";
import { SelectorFacet } from "./selector-facet.tsx";
import { LookupFacet, TextFacet } from "./text-facets.tsx";
import "./facet-menu.css";

interface FacetMenuProps extends Pick<FacetProps, "list" | "state" | "error"> {
  id: string;
  facets: readonly FacetProps["filter"][];
  button: RefObject<HTMLButtonElement | null>;
  /** The name of the filter whose chip opened the menu. */
  asked: string | null;
  onAsked: (name: string | null) => void;
}

export function FacetMenu({ id, button, asked, onAsked, ...props }: FacetMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button
        ref={button}
        icon={<ListFilter aria-hidden="true" />}
        popoverTarget={id}
        onClick={() => onAsked(null)}
      >
        {texts.filters.open}
      </Button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        role="dialog"
        aria-label={texts.filters.title}
        className="facet-menu floating"
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen && (
          <Facets
            key={asked}
            {...props}
            button={button}
            asked={asked}
            onDone={() => menu.current?.hidePopover()}
          />
        )}
      </div>
    </>
  );
}

type FacetsProps = Omit<FacetMenuProps, "id" | "onAsked"> & Pick<FacetProps, "onDone">;

function Facets({ list, facets, state, error, button, asked, onDone }: FacetsProps) {
  const id = useId();
  // The browser returns the focus to the chip that opened the menu, but the chip may be gone.
  useLayoutEffect(() => {
    if (asked === null) return undefined;
    return () => whenFocusIsLost(() => button.current?.focus({ preventScroll: true }));
  }, [asked, button]);
  const pane = useRef<HTMLDivElement>(null);
  const tabs = useRef<HTMLDivElement>(null);
  const [name, setName] = useState(asked ?? facets[0]?.name);
  const filter = facets.find((each) => each.name === name) ?? facets[0];
  const index = filter ? facets.indexOf(filter) : 0;
  const focusControl = () => {
    const control = pane.current?.querySelector<HTMLInputElement>("input:checked, input");
    control?.focus();
    if (control?.type === "text") control.select();
  };
  const focusTab = (at: number) => tabs.current?.querySelectorAll("button")[at]?.focus();
  /** Whether the focus moves to the filter's control, because the user clicked on the filter. */
  const isEntering = useRef(asked !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each filter
  useEffect(() => {
    if (isEntering.current) focusControl();
    else focusTab(index);
    isEntering.current = false;
  }, [name]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? -1 : (index + step + facets.length) % facets.length;
    if (next < 0) return;
    event.preventDefault();
    setName(facets[next]?.name);
  };
  if (!filter) return null;
  return (
    <>
      <div
        ref={tabs}
        className="facet-tabs"
        role="tablist"
        aria-orientation="vertical"
        aria-label={texts.filters.title}
      >
        {facets.map((each) => (
          <button
            key={each.name}
            type="button"
            role="tab"
            id={`${id}-${each.name}`}
            aria-controls={`${id}-pane`}
            aria-selected={each === filter}
            tabIndex={each === filter ? 0 : -1}
            data-set={isSet(each, state) || undefined}
            onClick={() => {
              if (each === filter) return focusControl();
              isEntering.current = true;
              setName(each.name);
            }}
            onKeyDown={onKeyDown}
          >
            {titleOfFacet(each)}
          </button>
        ))}
      </div>
      <div
        ref={pane}
        id={`${id}-pane`}
        className="facet-pane"
        role="tabpanel"
        aria-labelledby={`${id}-${filter.name}`}
      >
        <Facet key={filter.name} {...{ list, filter, state, error, onDone }} />
      </div>
    </>
  );
}

/** A filter's kind determines its control. */
function Facet(props: FacetProps) {
  const { filter, state } = props;
  if (isSeveral(filter)) return <SeveralFacet {...props} />;
  switch (filter.kind) {
    case "choice":
    case "several":
      return <ChoiceFacet {...props} />;
    case "time":
      return <TimeRange state={state} />;
    case "id":
      return <LookupFacet {...props} />;
    case "selector":
      return <SelectorFacet {...props} />;
    default:
      return <TextFacet {...props} />;
  }
}
