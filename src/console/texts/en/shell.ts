// The frame around all pages, and what happens where there is no page.

export const shell = {
  product: "platform",
  skip: "Skip to the content",
  menu: "Menu",
  navigation: "Main navigation",
  pages: {
    overview: "Overview",
    audit: "Audit",
    settings: "Settings",
    account: "Your account",
  },
  groups: { fleet: "Fleet", bus: "Event bus", administration: "Administration" },
  experimental: "experimental",
  live: "Live",
  connecting: "Connecting …",
  notLive: "Not live",
  notLiveWhy:
    "Not live: the connection to the server is lost. What you see may be old. Trying again …",
  notReady: (why: string) => `The server cannot save anything: ${why} Changes are refused.`,
  signedInAs: (name: string, role: string) => `${name}, ${role}`,
  signOut: "Sign out",
  stillSignedIn: (why: string) => `You are still signed in. ${why}`,
  theme: { label: "Theme", system: "Like the system", light: "Light", dark: "Dark" },
  notFound: {
    title: "Nothing here",
    text: "There is no page at this address.",
    home: "Go to the overview",
  },
  broken: {
    title: "This page is broken",
    text: "Something in the console went wrong. It is not your doing.",
    reload: "Load it again",
  },
  newer: {
    title: "The console has changed",
    text: "The server has another version of the console than the one that is open here. Load it again to go on.",
  },
  notLoaded: {
    title: "This page could not be loaded",
    away: "The server cannot be reached. Load it again when it is back.",
    same: "A part of the console did not come. The server answers now: load it again.",
  },
  forbidden: {
    title: "Not for your role",
    text: (role: string) => `This page needs the role ${role}.`,
  },
  busOff: {
    title: "The event bus is off",
    text: "This server runs without the event bus, which is experimental. It is there when the server is started with PLATFORM_CAPSULE_BUS_ENABLED=true.",
  },
};
