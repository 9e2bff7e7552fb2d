import type { Trace } from "../trace/story";
import type { Cue, Readings } from "../wire";

interface Props {
  readonly trace: Trace;
  readonly readings: Readings | null;
  readonly cues: readonly Cue[];
}

/** Of each sense, the most telling. */
const SHOWN = 3;

/** What was seen and heard, with its times: stills of the face, what was noticed, and where the senses contradict each other. */
export function Seen({ trace, readings, cues }: Props) {
  const last = trace.started?.dialogue.turns.at(-1);
  const stills = last?.keyframes ?? [];
  const measured = last?.readings ?? readings;
  if (!measured) return null;
  const noticed = measured.sensed.filter((sense) => sense.source !== "words").flatMap((sense) => sense.cues.slice(0, SHOWN));
  return (
    <section aria-labelledby="why-seen">
      <h3 id="why-seen" className="part">
        What was seen and heard
      </h3>
      {stills.length > 0 ? (
        <ol className="stills">
          {stills.map((still) => {
            const here = cues.filter((cue) => cue.start !== null && cue.start <= still.time && still.time <= (cue.end ?? cue.start));
            return (
              <li key={still.time} className={here.length ? "telling" : ""}>
                <img src={`data:${still.mime};base64,${still.data}`} alt={here.map((cue) => cue.quote).join(", ") || "Your face"} />
                <span>{still.time.toFixed(1)} s</span>
              </li>
            );
          })}
        </ol>
      ) : (
        measured.sensed.some((sense) => sense.source === "face" && sense.cues.length) && <p className="soft">The pictures themselves were looked at and forgotten.</p>
      )}
      <ul className="measured">
        {noticed.map((cue, index) => (
          <li key={index}>
            <span>{cue.text}</span>
            <span className="soft">
              {cue.source}, {cue.start.toFixed(1)}–{cue.end.toFixed(1)} s
            </span>
          </li>
        ))}
      </ul>
      {measured.conflict && <p className="conflict">The senses disagree: {measured.conflict.text}.</p>}
    </section>
  );
}
