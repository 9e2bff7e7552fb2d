import type { LanguageNote } from "../wire";
import { InLanguage } from "./InLanguage";

/** What stands wherever somebody decides to begin. */
export const ENGLISH = "English is understood.";
export const OTHERS = "In many languages other than English it tells you, in them, what it can do and what not.";

/** Which languages are understood and how far, for whoever looks it up: of each in its own words. */
export function Understood({ languages }: { languages: readonly LanguageNote[] }) {
  return (
    <section aria-labelledby="understood" className="understood">
      <h3 id="understood">Languages</h3>
      <p>
        {ENGLISH} {OTHERS} Clear words about danger are noticed in most of those too; hints can be missed.
      </p>
      <details>
        <summary>In your language</summary>
        {languages.map((own) => (
          <div key={own.code}>
            <h4 lang={own.code} dir="auto">{own.name}</h4>
            <InLanguage own={own} className="reminder" />
          </div>
        ))}
      </details>
    </section>
  );
}
