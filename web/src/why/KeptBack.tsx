import type { Guarded } from "../wire";
import { Code } from "./Technical";

/** A reply that was changed before anybody heard it, and why. The words themselves only where somebody asks for them. */
export function KeptBack({ guarded }: { guarded: Guarded }) {
  return (
    <article className="step" aria-label="Changed before anybody heard it">
      <header>
        <h4>{guarded.kept_back ? "Kept back" : "Added"}</h4>
        <Code name="guard" />
      </header>
      <div className="cell">
        <p dir="auto">{guarded.why}</p>
        {guarded.kept_back && (
          <details>
            <summary>Show the words that were not said</summary>
            <p className="said" dir="auto">
              <del>{guarded.kept_back}</del>
            </p>
          </details>
        )}
      </div>
    </article>
  );
}
