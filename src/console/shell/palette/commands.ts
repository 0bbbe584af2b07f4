// What the palette can do besides opening pages. A command that needs a form opens its page.

import { useMay } from "../../client/session.ts";
import { docsAddress } from "../../components/docs-pages.ts";
import { texts } from "../../texts/index.ts";
import { useLeave } from "../sign-out-button.tsx";
import { useThemes } from "../theme-choice.tsx";

interface Command {
  title: string;
  /** Returns the path to open, or null if there is none. */
  choose: () => string | null;
}

export function useCommands(onHelp: () => void): Command[] {
  const mayAct = useMay("operator");
  const themes = useThemes();
  const { leave } = useLeave();
  const words = texts.palette.commands;
  const opens = (title: string, path: string): Command => ({ title, choose: () => path });
  const does = (title: string, act: () => void): Command => ({
    title,
    choose: () => {
      act();
      return null;
    },
  });
  const changes = [
    opens(texts.registrationTokens.create, "/registration-tokens?new=1"),
    opens(texts.rollouts.start, "/rollouts/new"),
    opens(texts.schedules.create, "/schedules/new"),
    opens(words.pauseAll, "/schedules?pause=1"),
  ];
  return [
    ...(mayAct ? changes : []),
    ...themes.others.map((theme) => does(words.themes[theme], () => themes.choose(theme))),
    does(texts.shortcuts.title, onHelp),
    does(words.docs, () => window.open(docsAddress("index"), "_blank", "noopener")),
    does(texts.shell.signOut, leave),
  ];
}
