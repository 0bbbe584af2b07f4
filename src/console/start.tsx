// Applies the theme, asks the server who is signed in, then shows the page.

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { queryClient } from "./client/queries.ts";
import { loadSession } from "./client/session.ts";
import { Failure } from "./components/failure.tsx";
import { Loading } from "./lists/loaded.tsx";
import { createRouter } from "./shell/router.tsx";
import { applyTheme } from "./shell/theme-choice.tsx";

const element = document.getElementById("root");
if (!element) throw new Error("the page has no element for the console");
const root = createRoot(element);
// The router is created before the session is known, so that the page's file can already load.
const router = createRouter();

applyTheme();
void start();

async function start(): Promise<void> {
  root.render(
    <main className="away">
      <Loading />
    </main>,
  );
  try {
    await loadSession();
  } catch (error) {
    root.render(
      <main className="away">
        <Failure error={error} onRetry={() => void start()} />
      </main>,
    );
    return;
  }
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
