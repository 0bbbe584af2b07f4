// How the console is built into dist/console, and served during development (npm run console:dev).

import { dirname, join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const server = process.env.PLATFORM_URL ?? "http://127.0.0.1:8080";

const root = join(import.meta.dirname, "src/console");
const first = firstPage("main.ts", "start.tsx", "pages/overview/overview-page.tsx");

export default defineConfig({
  root,
  plugins: [react(), first.plugin, loadStartAtOnce(), designPage()],
  build: {
    outDir: join(import.meta.dirname, "dist/console"),
    emptyOutDir: true,
    // The content policy allows only files of this server, but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Packages that all pages need change rarely, so browsers can cache them longer than
            // the console.
            {
              name: "vendor",
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie|@tanstack)[\\/]/,
            },
            // Without these, the first page would load one small file for each set of pages that
            // share a module. The texts are apart, because the language must be known before other
            // modules run.
            { name: "texts", test: (id) => first.needs(id, "main.ts") },
            { name: "frame", test: (id) => first.needs(id, "start.tsx") },
            { name: "parts", test: (id) => first.needs(id, "pages/overview/overview-page.tsx") },
          ],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api/": { target: server, ws: true }, "/docs": { target: server } },
  },
});

/** Finds out which modules load with each of the files of the first page, besides those of its folder. */
function firstPage(...files: readonly string[]) {
  const needed = new Map<string, Set<string>>();
  const plugin: Plugin = {
    name: "first-page",
    buildEnd() {
      for (const file of files) {
        const found = new Set<string>();
        const visit = (id: string) => {
          if (found.has(id)) return;
          found.add(id);
          this.getModuleInfo(id)?.importedIds.forEach(visit);
        };
        const start = join(root, file);
        visit(start);
        const isOwn = (id: string) =>
          id.startsWith(`${dirname(start)}/`) && dirname(start) !== root;
        needed.set(file, new Set([...found].filter((id) => id !== start && !isOwn(id))));
      }
    },
  };
  return { plugin, needs: (id: string, file: string) => needed.get(file)?.has(id) === true };
}

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

/** The development server shows the design system at `/_design`. */
function designPage(): Plugin {
  return {
    name: "design-page",
    apply: "serve",
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url === "/_design") request.url = "/design/index.html";
        next();
      });
    },
  };
}
