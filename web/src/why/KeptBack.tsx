import type { Guarded } from "../wire";

/** A reply that was changed before anybody heard it, and why. The words themselves only where somebody asks for them. */
export function KeptBack({ guarded }: { guarded: Guarded }) {
  return (
    <div className="step">
      <header>
        <h4>{guarded.kept_back ? "Kept back" : "Added"}</h4>
      </header>
      <div className="cell">
        <p>{guarded.why}</p>
        {guarded.kept_back && (
          <details>
            <summary>Show the words that were not said</summary>
            <p className="said">
              <del>{guarded.kept_back}</del>
            </p>
          </details>
        )}
      </div>
    </div>
  );
}
