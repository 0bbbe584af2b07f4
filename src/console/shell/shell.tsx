// The frame around all pages of somebody who is signed in: navigation, whether it is live, who this is.

import { LogOut, Menu } from "lucide-react";
import { useEffect, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { forgetCommands } from "../client/command.ts";
import { queryClient } from "../client/queries.ts";
import { signOut, useMe, useSession } from "../client/session.ts";
import { Button, IconButton } from "../components/button.tsx";
import { NoticeProvider } from "../components/notices.tsx";
import { LiveProvider, useLiveStatus } from "../live/live.tsx";
import { texts } from "../texts/index.ts";
import { Navigation } from "./navigation.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import "./shell.css";

/** Sends everybody else to the login, and back to where they were. */
export function Shell() {
  const session = useSession();
  const { pathname, search } = useLocation();
  const isSignedIn = session.kind === "signedIn";
  useEffect(() => {
    // What one has seen is not for the next one.
    if (isSignedIn) return;
    queryClient.clear();
    forgetCommands();
  }, [isSignedIn]);
  if (!isSignedIn) {
    const next = pathname + search;
    return (
      <Navigate to={next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`} replace />
    );
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
  const { user, installation } = useMe();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on the way to a page
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="shell" data-menu={isOpen ? "open" : "closed"}>
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      <header className="topbar">
        <IconButton
          label={texts.shell.menu}
          icon={<Menu />}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        />
        <strong className="workspace">{installation.workspaceName}</strong>
        <LiveSign />
      </header>
      <aside className="sidebar" id="navigation">
        <p className="brand">{installation.workspaceName}</p>
        <Navigation />
        <footer className="sidebar-foot">
          <ThemeChoice />
          <p className="small muted">{texts.shell.signedInAs(user.username, user.role)}</p>
          <Button kind="quiet" icon={<LogOut />} onClick={() => void signOut()}>
            {texts.shell.signOut}
          </Button>
          <p className="small muted">{installation.version}</p>
        </footer>
      </aside>
      <main id="content" tabIndex={-1}>
        <NotLive />
        <Outlet />
      </main>
    </div>
  );
}

function LiveSign() {
  const status = useLiveStatus();
  const words = {
    live: texts.shell.live,
    connecting: texts.shell.connecting,
    down: texts.shell.notLive,
  };
  const tones = { live: "good", connecting: "idle", down: "bad" };
  return <span className={`badge tone-${tones[status]}`}>{words[status]}</span>;
}

function NotLive() {
  const status = useLiveStatus();
  return (
    <div role="status">
      {status === "down" && <p className="not-live">{texts.shell.notLiveWhy}</p>}
    </div>
  );
}
