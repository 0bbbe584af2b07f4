// The kinds of pages and dialogs. `npm test` runs axe-core once for each kind, in the test that
// calls `expectAccessible` with it. `npm run test:long` runs it wherever a test calls
// `expectAccessible`, and `console/all-pages.long.test.ts` runs it on every page.

/** The pages of a kind, as paths of src/console/shell/pages.ts. Dialogs have none. */
export const kinds = {
  "sign-in": ["/login"],
  overview: ["/"],
  list: [
    "/agents",
    "/services",
    "/commands",
    "/rollouts",
    "/schedules",
    "/approvals",
    "/registration-tokens",
    "/bus/routes",
    "/bus/events",
    "/audit",
    "/users",
    "/api-keys",
    "/policies",
    "/views",
    "/nouns/:noun",
  ],
  object: [
    "/agents/:agentId",
    "/services/:serviceId",
    "/commands/:commandId",
    "/rollouts/:rolloutId",
    "/schedules/:scheduleId",
    "/approvals/:approvalId",
    "/bus/events/:eventId",
    "/users/:userId",
    "/policies/:policyId",
    "/nouns/:noun/:id",
  ],
  form: [
    "/services/:serviceId/actions/:actionName",
    "/rollouts/new",
    "/rollouts/:rolloutId/retry",
    "/schedules/new",
    "/schedules/:scheduleId/edit",
    "/bus/routes/new",
    "/bus/routes/:routeId",
  ],
  settings: ["/settings", "/account"],
  dialog: [],
  palette: [],
} as const satisfies Record<string, readonly string[]>;

export type Kind = keyof typeof kinds;

export const allKinds = Object.keys(kinds) as Kind[];

/** Whether a page with this path, and with or without a dialog, is of the kind. */
export function isOfKind(kind: Kind, pathname: string, hasDialog: boolean): boolean {
  const paths: readonly string[] = kinds[kind];
  if (paths.length === 0) return hasDialog;
  const matches = (path: string) =>
    new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(pathname);
  return !hasDialog && paths.some(matches);
}
