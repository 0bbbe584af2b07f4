// Every part of the console, in all its states and in both themes.

import { createRoot } from "react-dom/client";
import { createMemoryRouter, RouterProvider } from "react-router";
import { NoticeProvider } from "../components/notices.tsx";
import { Parts } from "./parts.tsx";
import { Tokens } from "./tokens.tsx";
import "./design.css";

const themes = ["light", "dark"];

function Design() {
  return (
    <NoticeProvider>
      <main className="design">
        <h1>Design system</h1>
        <div className="design-themes">
          {themes.map((theme) => (
            <section key={theme} className="design-theme" data-theme={theme} aria-label={theme}>
              <Tokens />
              <Parts theme={theme} />
            </section>
          ))}
        </div>
      </main>
    </NoticeProvider>
  );
}

const router = createMemoryRouter([{ path: "*", element: <Design /> }]);
const element = document.getElementById("root");
if (element) createRoot(element).render(<RouterProvider router={router} />);
