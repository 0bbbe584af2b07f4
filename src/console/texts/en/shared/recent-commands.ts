// The last commands of an agent or a service, on its page.

export const recentCommands = {
  label: "Commands",
  empty: "Nothing has been run yet.",
  all: (total: string) => `All commands (${total})`,
};
