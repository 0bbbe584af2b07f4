// Starts the console. The rest is loaded only after the texts of the chosen language.

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/print.css";
import { loadTexts } from "./texts/load.ts";

void loadTexts().then(() => import("./start.tsx"));
