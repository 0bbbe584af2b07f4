// How the console is built into dist/console, and served during development (npm run console:dev).

import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.PLATFORM_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: join(import.meta.dirname, "src/console"),
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, "dist/console"),
    emptyOutDir: true,
    // The content policy allows only files of this server, but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    // Packages that all pages need change rarely, so browsers can cache them longer than the
    // console.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "vendor",
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie|@tanstack)[\\/]/,
            },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", proxy: { "/api": { target: server, ws: true } } },
});
