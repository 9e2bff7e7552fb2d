import { titleOf } from "../trace/names";
import type { Trace } from "../trace/story";
import type { Afterthought } from "../wire";
import { columnsOf } from "./columns";
import { Comparison } from "./Comparison";

interface Props {
  readonly thought: Afterthought | null;
  readonly back: Trace | null;
  readonly name: string;
}

/** What a look back at the answer found, after it had been given. */
export function LookBack({ thought, back, name }: Props) {
  if (!thought && !back) return null;
  return (
    <section aria-labelledby="why-back">
      <h3 id="why-back" className="part">
        Looking back
      </h3>
      {!thought && <p className="soft">{name} is going over it once more.</p>}
      {thought && !thought.step && <p>Afterwards it was gone over once more, and it holds.</p>}
      {thought?.step && (
        <>
          <p>
            Afterwards it found a fault in “{titleOf(thought.step).toLowerCase()}”. {thought.problem}
          </p>
          {thought.rather && (
            <p>
              It would rather have said: <q className="said">{thought.rather}</q>
            </p>
          )}
          {thought.instruction && <p className="soft">For the next answer: {thought.instruction}</p>}
        </>
      )}
      {back && (
        <details>
          <summary>How it went over it</summary>
          <Comparison columns={columnsOf(back)} over={!!thought} />
        </details>
      )}
    </section>
  );
}
