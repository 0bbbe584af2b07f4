// How the console is built into dist/console, and served during development (npm run console:dev).

import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const server = process.env.PLATFORM_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  root: join(import.meta.dirname, "src/console"),
  plugins: [react(), loadStartAtOnce()],
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
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: server, ws: true }, "/docs": { target: server } },
  },
});

/**
 * The entry loads start.tsx when it knows the language. The page names its files, so that browsers
 * fetch them together with the entry.
 */
function loadStartAtOnce(): Plugin {
  return {
    name: "load-start-at-once",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const parts = Object.values(bundle).filter((part) => part.type === "chunk");
        const files = new Map<string, string>();
        const visit = (name: string | undefined) => {
          const part = parts.find(({ fileName }) => fileName === name);
          if (part === undefined || part.isEntry || files.has(part.fileName)) return;
          files.set(part.fileName, "modulepreload");
          part.imports.forEach(visit);
          for (const style of part.viteMetadata?.importedCss ?? []) files.set(style, "stylesheet");
        };
        visit(parts.find(({ name }) => name === "start")?.fileName);
        return [...files]
          .filter(([file]) => !html.includes(file))
          .map(([file, rel]): HtmlTagDescriptor => {
            const attrs = { rel, crossorigin: true, href: `/${file}` };
            return { tag: "link", attrs, injectTo: "head" };
          });
      },
    },
  };
}
