// The frame around all pages of a signed-in user: the navigation, the live status and the account.

import { useQuery } from "@tanstack/react-query";
import { Menu, Search } from "lucide-react";
import { useEffect } from "react";
import { Navigate, Outlet, useLocation, useNavigation } from "react-router";
import { unnamedWorkspace } from "../../lib/setting-bounds.ts";
import { ApiError } from "../client/api-error.ts";
import { call } from "../client/call.ts";
import { useMe, useSession } from "../client/session.ts";
import { IconButton } from "../components/buttons/button.tsx";
import { showInTab } from "../components/document-title.ts";
import { useRememberedFocus } from "../components/focus/return-focus.ts";
import { NoticeProvider } from "../components/notices.tsx";
import { LiveProvider, reconnectStream, useLiveStatus } from "../live/live.tsx";
import { problemText, texts } from "../texts/index.ts";
import { Badge } from "../values/status-badge.tsx";
import { SearchButton, useKeyboard } from "./keyboard.tsx";
import { useMenu } from "./menu.ts";
import { Navigation } from "./navigation.tsx";
import { UserMenu } from "./user-menu.tsx";
import "./page-progress.css";
import "./shell.css";

const readyEveryMs = 10_000;
const readyWithinMs = 10_000;

/** Visitors who are not signed in return to this page after signing in, unless they signed out. */
export function Shell() {
  const session = useSession();
  const here = useLocation();
  // If the session ends while the next page is loading, users return to that page.
  const { pathname, search } = useNavigation().location ?? here;
  if (session.kind !== "signedIn") {
    const next = pathname + search;
    const hasSignedOut = session.kind === "anonymous" && session.since === "signOut";
    const way = hasSignedOut || next === "/" ? "" : `?next=${encodeURIComponent(next)}`;
    return <Navigate to={`/login${way}`} replace />;
  }
  return (
    <LiveProvider key={session.me.user.id}>
      <NoticeProvider>
        <Frame />
      </NoticeProvider>
    </LiveProvider>
  );
}

function Frame() {
  const { installation } = useMe();
  const menu = useMenu();
  const keyboard = useKeyboard();
  useRememberedFocus();
  const { workspaceName } = installation;
  useEffect(
    () => showInTab({ workspace: workspaceName === unnamedWorkspace ? null : workspaceName }),
    [workspaceName],
  );
  return (
    <div className="shell" data-menu={menu.isOpen ? "open" : "closed"}>
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      {useNavigation().state === "loading" && <div className="page-progress" aria-hidden="true" />}
      <header className="topbar">
        <IconButton
          ref={menu.button}
          label={texts.shell.menu}
          icon={<Menu />}
          aria-expanded={menu.isOpen}
          aria-controls="navigation"
          onClick={menu.toggle}
        />
        <strong className="workspace">{installation.workspaceName}</strong>
        {/* The drawer follows the button that opens it. */}
        {!menu.isOpen && (
          <IconButton label={texts.palette.title} icon={<Search />} onClick={keyboard.search} />
        )}
        <LiveSign />
      </header>
      <aside className="sidebar" id="navigation" ref={menu.drawer} onBlur={menu.onBlur}>
        <p className="brand" title={workspaceName}>
          <span className="nav-text">{workspaceName}</span>
        </p>
        <div className="sidebar-search">
          <SearchButton onClick={keyboard.search} />
        </div>
        <Navigation />
        <footer className="sidebar-foot">
          <UserMenu />
        </footer>
      </aside>
      <main id="content" tabIndex={-1}>
        <Warnings />
        <Outlet />
      </main>
      {keyboard.dialog}
    </div>
  );
}

function LiveSign() {
  const status = useLiveStatus();
  const tones = { live: "good", connecting: "idle", down: "bad" } as const;
  return <Badge tone={tones[status]}>{texts.shell[status]}</Badge>;
}

function Warnings() {
  const status = useLiveStatus();
  // Polls because the live stream does not report whether the server is ready.
  const { data, error } = useQuery({
    queryKey: ["system.ready", {}],
    queryFn: ({ signal }) =>
      call("system.ready", {}, AbortSignal.any([signal, AbortSignal.timeout(readyWithinMs)])),
    refetchInterval: readyEveryMs,
  });
  useEffect(() => {
    if (error && !(error instanceof ApiError)) reconnectStream();
  }, [error]);
  return (
    <div role="status">
      {status === "down" && <p className="failure">{texts.shell.notLiveWhy}</p>}
      {data?.ready === false && (
        <p className="failure">
          {texts.shell.notReady({ why: problemText(data.reason, data.message ?? "") })}
        </p>
      )}
    </div>
  );
}
