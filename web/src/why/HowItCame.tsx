import type { ReactNode } from "react";
import { isByHand, type Trace } from "../trace/story";
import type { Readings, StepRecord } from "../wire";
import { columnsOf } from "./columns";
import { Comparison } from "./Comparison";
import { Danger } from "./Danger";
import { KeptBack } from "./KeptBack";
import { drawnAt } from "./senses/Senses";

interface Props {
  readonly trace: Trace;
  readonly readings?: Readings | null;
  /** Who spoke, if it was not the reader. */
  readonly whom?: string;
  /** Whether nothing more will come. */
  readonly over: boolean;
  readonly edit?: ((record: StepRecord) => void) | undefined;
  readonly children?: ReactNode;
}

/** The steps, from the look for danger to the choice among the passes. */
export function HowItCame({ trace, readings = null, whom = "", over, edit, children }: Props) {
  const tries = trace.passes.filter((pass) => !isByHand(pass)).length;
  return (
    <section className="how" id="reasoning" aria-labelledby="why-steps" tabIndex={-1}>
      <h3 id="why-steps" className="part">
        How it came to these words
      </h3>
      {tries > 1 && <p className="soft">{tries === 2 ? "It looked its first try over, found a fault, and went on from there." : `${tries} tries. Each is looked over; the next one keeps what stands before the earliest fault and makes the rest again.`}</p>}
      {trace.passes.some(isByHand) && <p className="soft">Somebody set a step by hand, and kept what followed from it.</p>}
      {trace.screened && <Danger alert={trace.screened} whom={whom} />}
      <Comparison columns={columnsOf(trace)} over={over} failedAt={trace.failed?.step} edit={edit} said={trace.started?.dialogue.turns.map(({ text }) => text)} drawnAt={drawnAt(trace, readings)} />
      {trace.guarded.map((guarded, index) => (
        <KeptBack key={index} guarded={guarded} />
      ))}
      {children}
    </section>
  );
}
