// A link to the documentation. It opens in a new tab, so that forms keep unsaved input.

import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { type DocsPage, docsAddress } from "./docs-pages.ts";
import "./docs-link.css";

interface DocsLinkProps {
  to: DocsPage;
  children?: ReactNode;
}

export function DocsLink({ to, children = texts.help.more }: DocsLinkProps) {
  return (
    <a className="docs-link" href={docsAddress(to)} target="_blank" rel="noopener" hrefLang="en">
      {children}
      <ExternalLink aria-hidden="true" />
      <span className="visually-hidden"> {texts.help.newTab}</span>
    </a>
  );
}
