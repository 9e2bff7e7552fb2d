import type { Trace } from "../../trace/story";
import type { Cue, Readings, Turn } from "../../wire";
import { anchorOf } from "./lanes";
import { SensedTurn } from "./SensedTurn";

interface Props {
  readonly trace: Trace;
  /** What was measured of the turn that is answered, where the dialogue does not hold it. */
  readonly readings?: Readings | null;
  /** What perceive cites. */
  readonly cited: readonly Cue[];
}

const nameOf = (place: number): string => `turn-${place}`;

/** What was seen and heard of each turn: stills, a lane a sense, contradictions, the words. The turn to be answered comes first. */
export function Senses({ trace, readings = null, cited }: Props) {
  const turns = trace.started?.dialogue.turns ?? [];
  const last = turns.length - 1;
  const measured = (turn: Turn, place: number) => turn.readings ?? (place === last ? readings : null);
  const sensed = turns.flatMap((turn, place) => {
    const found = measured(turn, place);
    return found ? [{ turn, place, found }] : [];
  });
  if (!sensed.length) return null;
  return (
    <section className="sensed" aria-labelledby="why-seen">
      <h3 id="why-seen" className="part">
        What was seen and heard
      </h3>
      {sensed.reverse().map(({ turn, place, found }) =>
        place === last ? (
          <SensedTurn key={place} turn={turn} readings={found} cited={cited} name={nameOf(place)} />
        ) : (
          <details key={place}>
            <summary>
              Earlier, as <span dir="auto">{turn.speaker}</span> said turn {place + 1}
            </summary>
            <SensedTurn turn={turn} readings={found} cited={[]} name={nameOf(place)} />
          </details>
        ),
      )}
    </section>
  );
}

/** The anchor of what perceive cites, where it is drawn. */
export function drawnAt(trace: Trace, readings: Readings | null = null): (cue: Cue) => string {
  const turns = trace.started?.dialogue.turns ?? [];
  return (cue) => anchorOf(turns.at(-1)?.readings ?? readings, cue, nameOf(turns.length - 1));
}
