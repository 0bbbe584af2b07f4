// The last commands of an agent or a service, on its page.

export const recentCommands = {
  label: "Commands",
  prepare: "(prepare)",
  by: "By",
  duration: "Took",
  empty: "Nothing has been run yet.",
  all: (total: string) => `All commands (${total})`,
};
