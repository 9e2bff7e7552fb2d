import type { TurnStarted } from "../wire";

/** Everything that decided how the turn was run, to run it again. */
export function SetupFacts({ started }: { started: TurnStarted }) {
  const { dialogue } = started;
  const facts = [
    ["Heartfelt", started.version],
    ["dialogue", started.dialogue_hash],
    ["id", dialogue.id],
    ["split", dialogue.split],
    ["steps", started.steps.join(", ")],
  ] as const;
  return (
    <section className="setup" aria-labelledby="why-setup">
      <h3 id="why-setup" className="part">
        To run it again
      </h3>
      <details>
        <summary>Everything that decided how this turn was run</summary>
        <div className="call">
          <dl>
            {facts.filter(([, value]) => value).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
          <pre tabIndex={0}>{JSON.stringify(started.setup, null, 2)}</pre>
        </div>
      </details>
    </section>
  );
}
