import { percent } from "../../parts/names";
import type { Cue, Readings, Turn } from "../../wire";
import { axisOf, clock, marksOf, placeOf, whenOf, type Axis } from "./axis";
import { hueOf, lanesOf, type Lane } from "./lanes";
import { LaneRows } from "./LaneRows";
import { heardOf, MOST_WORDS, ticksOf } from "./spoken";
import { stillsOf } from "./stills";

interface Props {
  readonly turn: Turn;
  readonly readings: Readings;
  readonly cited: readonly Cue[];
  /** What its anchors begin with. */
  readonly name: string;
}

export function SensedTurn({ turn, readings, cited, name }: Props) {
  const axis = axisOf(readings.duration);
  const lanes = lanesOf(readings, axis, cited, name);
  const together = Object.entries(readings.shares).sort(([, a], [, b]) => b - a);
  const ticks = ticksOf(readings.words, axis);
  const { conflict } = readings;
  return (
    <>
      <p className="soft">
        <Votes together={together} lanes={lanes} /> Paler means less reliable.
      </p>
      {conflict && (
        <p className="conflict">
          <span className="tag bad">contradiction</span> {whenOf(axis, conflict)} <b>{conflict.text}</b> <span className="soft">{percent(conflict.score)} apart</span>
        </p>
      )}
      <div className="lanes">
        <Stills turn={turn} axis={axis} cited={cited} looked={readings.sensed.some(({ source, cues }) => source === "face" && cues.length)} />
        {conflict && (
          <div className="lane-row">
            <p className="lane-head bad-ink">in conflict</p>
            <svg className="clash" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label={`${conflict.text}, ${whenOf(axis, conflict)}`}>
              <rect x={placeOf(axis, conflict).left} width={placeOf(axis, conflict).width} y="0" height="1" />
            </svg>
          </div>
        )}
        {lanes.map((lane) => (
          <LaneRows key={lane.source} lane={lane} axis={axis} ticks={lane.source === "words" ? ticks : []} />
        ))}
        <AxisRow axis={axis} />
        {together.length > 0 && (
          <div className="lane-row">
            <p className="lane-head">
              <b>together</b>
            </p>
            <div className="track">
              {together.map(([emotion, share]) => (
                <div key={emotion} className={`segment hue-${hueOf(emotion)}`} style={{ width: `${share * 100}%` }} title={`${emotion}, ${percent(share)}`}>
                  <span>
                    {emotion} {percent(share)}
                  </span>
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
      <Key emotions={[...new Set([...together.map(([emotion]) => emotion), ...lanes.flatMap((lane) => lane.piles.flatMap((pile) => pile.slices.map(({ emotion }) => emotion)))])]} />
      <HeardWords words={readings.words} />
      <Numbers lanes={lanes} />
    </>
  );
}

function Votes({ together, lanes }: { together: readonly (readonly [string, number])[]; lanes: readonly Lane[] }) {
  const [best] = together;
  if (!best) return <>No sense had enough to go by, so none cast a vote.</>;
  const voters = lanes.filter(({ vote }) => vote > 0).sort((a, b) => b.vote - a.vote);
  const silent = lanes.filter(({ vote }) => vote === 0);
  const s = (source: string) => (source === "words" ? "" : "s");
  return (
    <>
      Together: <b>{best[0]}</b>, {percent(best[1])}.{" "}
      {[voters.map(({ source, vote }) => `the ${source} count${s(source)} for ${percent(vote)}`).join(", "), silent.map(({ source }) => `the ${source} cast${s(source)} no vote`).join(", ")]
        .filter(Boolean)
        .join("; ")
        .replace(/^./, (letter) => letter.toUpperCase())}
      .
    </>
  );
}

function Stills({ turn, axis, cited, looked }: { turn: Turn; axis: Axis; cited: readonly Cue[]; looked: boolean }) {
  const stills = stillsOf(turn.keyframes, axis.seconds);
  if (!stills.length) return looked && <p className="soft">The pictures themselves were looked at and forgotten.</p>;
  return (
    <div className="lane-row">
      <p className="lane-head">{stills.length > 1 ? "stills" : "still"}</p>
      <ol className="stills" data-many={stills.length > 4}>
        {stills.map(({ frame, width, gap }, index) => {
          const here = cited.filter((cue) => cue.start !== null && cue.start <= frame.time && frame.time <= (cue.end ?? cue.start));
          const when = axis.still ? "" : clock(frame.time);
          return (
            <li key={index} className={here.length ? "telling" : ""} style={{ "--width": `${width}%`, "--gap": `${gap}%` } as React.CSSProperties}>
              <img src={`data:${frame.mime};base64,${frame.data}`} alt={[turn.speaker + (when && ` at ${when}`), ...here.map((cue) => cue.quote)].join(", ")} />
              <span>{when}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function AxisRow({ axis }: { axis: Axis }) {
  const marks = marksOf(axis);
  if (!marks.length) return null;
  return (
    <div className="lane-row axis" aria-hidden="true">
      <p className="lane-head" />
      <ol>
        {marks.map(([left, text]) => (
          <li key={left} className={left > 92 ? "last" : ""} style={{ left: `${left}%` }}>
            {text}
          </li>
        ))}
      </ol>
    </div>
  );
}

const Key = ({ emotions }: { emotions: readonly string[] }) =>
  emotions.length > 0 && (
    <ul className="key" aria-hidden="true">
      {emotions.map((emotion) => (
        <li key={emotion}>
          <i className={`swatch hue-${hueOf(emotion)}`} />
          {emotion}
        </li>
      ))}
    </ul>
  );

function HeardWords({ words }: { words: Readings["words"] }) {
  if (!words.length) return null;
  return (
    <>
      <h4 className="heard-title">What was heard</h4>
      <ol className={words.length > MOST_WORDS ? "heard-words sentences" : "heard-words"} tabIndex={0} aria-label="Words and when they were said">
        {heardOf(words).map(({ text, when, unsure }, index) => (
          <li key={index} className={unsure ? "unsure" : ""}>
            <span dir="auto">{text}</span>
            <small>
              {when}
              {unsure && " ?"}
            </small>
          </li>
        ))}
      </ol>
    </>
  );
}

function Numbers({ lanes }: { lanes: readonly Lane[] }) {
  if (!lanes.some(({ piles }) => piles.length)) return null;
  return (
    <details>
      <summary>The same in numbers</summary>
      <div className="scrolls" tabIndex={0} role="group" aria-label="Table of moments">
        <table>
          <thead>
            <tr>
              <th scope="col">Sense</th>
              <th scope="col">When</th>
              <th scope="col">Emotions</th>
              <th scope="col">Reliability</th>
            </tr>
          </thead>
          <tbody>
            {lanes.flatMap(({ source, piles }) =>
              piles.map(({ when, shares, reliability }, index) => (
                <tr key={`${source} ${index}`}>
                  <th scope="row">{source}</th>
                  <td>{when || "all of it"}</td>
                  <td>{topOf(shares)}</td>
                  <td>{percent(reliability)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The likeliest emotions of a moment, in words. */
export const topOf = (shares: Readonly<Record<string, number>>): string =>
  Object.entries(shares)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([emotion, share]) => `${emotion} ${percent(share)}`)
    .join(", ");
