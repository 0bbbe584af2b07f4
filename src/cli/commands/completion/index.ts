import type { CommandSpec } from "../../command.ts";

export const completion = (): CommandSpec[] => [
  {
    name: "completion",
    summary: "Print a script that completes commands, flags and names in a shell",
    args: [{ name: "<shell>", summary: "bash, zsh or fish", choices: ["bash", "zsh", "fish"] }],
    examples: [
      "completion bash >>~/.bashrc",
      "completion zsh >~/.zfunc/_platformctl",
      "completion fish >~/.config/fish/completions/platformctl.fish",
    ],
    run: async () => {
      const { scripts } = await import("../../completion/scripts.ts");
      return async ({ io, args }) => io.out(scripts[args[0] as keyof typeof scripts]);
    },
  },
];
