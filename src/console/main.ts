// Starts the console. Only the language is needed before the rest is loaded.

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/print.css";
import { loadTexts } from "./texts/load.ts";

void loadTexts().then(() => import("./start.tsx"));
