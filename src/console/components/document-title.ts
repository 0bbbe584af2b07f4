// Sets the title and the icon of the browser's tab. They show the page, the workspace, and how many
// services need attention, even while the tab is in the background.

import plainIcon from "../icon.svg";
import attentionIcon from "../icon-attention.svg";
import { texts } from "../texts/index.ts";

interface Shown {
  page: string;
  /** Null before sign-in, and if the workspace has no name. The tab then shows the host. */
  workspace: string | null;
  attention: number;
}

let shown: Shown = { page: "", workspace: null, attention: 0 };

export function showInTab(change: Partial<Shown>): void {
  shown = { ...shown, ...change };
  const { page, workspace, attention } = shown;
  const place = [page, workspace ?? location.host].filter(Boolean).join(" · ");
  document.title = attention > 0 ? texts.shell.titleWith({ attention, title: place }) : place;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = attention > 0 ? attentionIcon : plainIcon;
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}
