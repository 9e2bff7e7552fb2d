import type { TurnStarted } from "../wire";
import { FactList, type Fact } from "./FactList";

/** Everything that decided how the turn was run, to run it again. */
export function SetupFacts({ started }: { started: TurnStarted }) {
  const { dialogue } = started;
  const facts: readonly Fact[] = [
    ["Heartfelt", started.version],
    ["dialogue", started.dialogue_hash],
    ["id", dialogue.id],
    ["split", dialogue.split],
    ["steps", started.steps.join(", ")],
  ];
  return (
    <section className="setup" aria-labelledby="why-setup">
      <h3 id="why-setup" className="part">
        To run it again
      </h3>
      <details>
        <summary>Everything that decided how this turn was run</summary>
        <div className="call">
          <FactList facts={facts} />
          <pre tabIndex={0}>{JSON.stringify(started.setup, null, 2)}</pre>
        </div>
      </details>
    </section>
  );
}
