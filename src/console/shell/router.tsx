// Creates the browser routes from the table of pages. Each page is loaded when it is first opened.

import { Fragment, type ReactNode } from "react";
import { createBrowserRouter, type RouteObject, redirect, useLocation } from "react-router";
import { ApiError, Unreachable } from "../client/api-error.ts";
import { call } from "../client/call.ts";
import { forgetCalls } from "../client/repeatable.ts";
import { listAddress } from "../nouns/addresses.ts";
import { savedViewPath, viewAddress } from "../nouns/views/view-address.ts";
import { LoginPage } from "../pages/login/login-page.tsx";
import { PageNotLoaded } from "./loaded-console.ts";
import { Guarded, NotFound } from "./no-page.tsx";
import { Broken } from "./page-failed.tsx";
import { type ConsolePage, pages } from "./pages.ts";
import { Shell } from "./shell.tsx";

export function createRouter() {
  const router = createBrowserRouter([
    { path: "/login", element: <LoginPage />, errorElement: <Broken /> },
    {
      element: <Shell />,
      errorElement: <Broken />,
      children: [...pages.map(routeOf), savedView, { path: "*", element: <NotFound /> }],
    },
  ]);
  let shown = router.state.location.pathname;
  router.subscribe(({ location: { pathname } }) => {
    if (pathname !== shown) forgetCalls();
    shown = pathname;
  });
  return router;
}

/** Leads to the list that the saved view shows, or to all views if the server refuses the view. */
const savedView: RouteObject = {
  path: savedViewPath(":viewId"),
  loader: ({ params: { viewId = "" }, request: { signal } }) =>
    call("saved-views.get", { params: { viewId } }, signal).then(
      (view) => redirect(viewAddress(view)),
      (error: unknown) => {
        if (error instanceof Unreachable) throw new PageNotLoaded(error);
        // `Shell` leads to the login page, and from there back to the view.
        if (error instanceof ApiError && error.status === 401) return null;
        return redirect(listAddress("saved-views"));
      },
    ),
  errorElement: <Broken />,
  hydrateFallbackElement: <p role="status" />,
};

function routeOf({ path, load, read, role = "viewer", bus }: ConsolePage): RouteObject {
  return {
    path,
    // Runs in parallel with `lazy`.
    loader: ({ params, request }) => {
      read?.(params, new URL(request.url).search);
      return null;
    },
    // Changes of filters and tabs do not change what is read first.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    errorElement: <Broken />,
    lazy: async () => {
      const { Component } = await load().catch((cause: unknown) => {
        throw new PageNotLoaded(cause);
      });
      return {
        element: (
          <Guarded role={role} bus={bus}>
            <OfItsOwn>
              <Component />
            </OfItsOwn>
          </Guarded>
        ),
      };
    },
    hydrateFallbackElement: <p role="status" />,
  };
}

/** Mounts a new page for each path, even if the previous page was of the same kind. */
function OfItsOwn({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return <Fragment key={pathname}>{children}</Fragment>;
}
