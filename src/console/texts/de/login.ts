import type { Texts } from "../index.ts";

export const login: Texts["login"] = {
  product: "platform",
  title: "Anmelden",
  sessionOver: "Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.",
  wrong: "Benutzername oder Passwort ist falsch.",
};
