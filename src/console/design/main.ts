// Shows the design system: `/_design` of the development server. It is not part of the console.

import "../styles/tokens.css";
import "../styles/base.css";
import "../styles/layout.css";
import { loadTexts } from "../texts/load.ts";

void loadTexts().then(() => import("./design.tsx"));
