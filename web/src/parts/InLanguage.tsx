import type { LanguageNote } from "../wire";

/** Written from right to left. A text tells by itself only where it does not begin with a name in Latin letters. */
const FROM_THE_RIGHT = new Set(["ar", "fa", "he", "ur"]);

/** What can be had in somebody's language, told in it. */
export function InLanguage({ own, className }: { own: LanguageNote; className: string }) {
  return (
    <p className={className} role="note" aria-label={own.name} lang={own.code} dir={FROM_THE_RIGHT.has(own.code) ? "rtl" : "ltr"}>
      {own.note}
    </p>
  );
}
