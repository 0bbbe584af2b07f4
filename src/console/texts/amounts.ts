// Counts in the texts of one language: the number as the language writes it, with the form of the
// noun or verb that the number needs.

/** A number, or the text of a total that is only a lower bound: `more than 10,000`. */
export type Amount = number | string;

/**
 * `other` takes the place of all forms that a language does not have, or does not need here. In a
 * form, `#` is the amount. `bound` is for a lower bound.
 */
export type Forms = Readonly<
  Partial<Record<Intl.LDMLPluralRule | "bound", string>> & Record<"other", string>
>;

export function amountsIn(locale: string) {
  const { format } = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);

  /** `12,345` */
  function count(amount: Amount): string {
    return typeof amount === "number" ? format(amount) : amount;
  }

  /** `1 agent`, `2 agents`, `12,345 agents`, `more than 10,000 agents` */
  function plural(amount: Amount, forms: Forms): string {
    const form = forms[typeof amount === "number" ? rules.select(amount) : "bound"];
    return (form ?? forms.other).replaceAll("#", () => count(amount));
  }

  return { count, plural };
}
