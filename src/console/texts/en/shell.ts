// Texts of the frame around all pages, and messages that replace a page.

export const shell = {
  titleWith: (attention: number, title: string) => `(${attention}) ${title}`,
  skip: "Skip to content",
  menu: "Menu",
  navigation: "Main navigation",
  pages: { overview: "Overview", audit: "Audit", settings: "Settings" },
  groups: { fleet: "Fleet", bus: "Event bus", administration: "Administration" },
  experimental: "experimental",
  live: "Live",
  connecting: "Connecting …",
  down: "Not live",
  notLiveWhy:
    "Not live: the connection to the server is lost. This page may be out of date. Reconnecting …",
  notReady: (why: string) => `The server refuses changes because it cannot save anything: ${why}`,
  signedInAs: (name: string, role: string) => `${name}, ${role}`,
  signOut: "Sign out",
  stillSignedIn: (why: string) => `You are still signed in. ${why}`,
  /** Also has the English word, for users who do not read the language. */
  language: "Language",
  theme: { label: "Theme", system: "System", light: "Light", dark: "Dark" },
  times: { label: "Times", relative: "Relative", exact: "Exact" },
  notFound: {
    title: "Page not found",
    text: "There is no page at this address.",
    home: "Go to overview",
  },
  broken: {
    title: "Something went wrong",
    text: "The console cannot show this page because of an error.",
    reload: "Reload",
  },
  newer: {
    title: "New console version",
    text: "The server now has another version of the console. Reload the page to continue.",
  },
  notLoaded: {
    title: "This page could not be loaded",
    away: "The server cannot be reached. Reload the page when it is back.",
    same: "Part of the console did not load. The server is responding again: reload the page.",
  },
  forbidden: {
    title: "Not available to your role",
    text: (role: string) => `This page requires the ${role} role.`,
  },
  busOff: {
    title: "The event bus is off",
    text: "This server runs without the event bus, which is experimental. To use it, start the server with PLATFORM_CAPSULE_BUS_ENABLED=true.",
  },
};
