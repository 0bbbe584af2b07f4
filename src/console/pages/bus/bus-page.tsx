// The frame of the event bus pages, which marks them as experimental.

import type { ComponentProps } from "react";
import { Page } from "../../components/page.tsx";
import { texts } from "../../texts/index.ts";
import "./bus.css";

export function BusPage({ badge, ...rest }: ComponentProps<typeof Page>) {
  return (
    <Page
      {...rest}
      badge={
        <>
          {badge}
          <span className="bus-experimental muted small">{texts.shell.experimental}</span>
        </>
      }
    />
  );
}
