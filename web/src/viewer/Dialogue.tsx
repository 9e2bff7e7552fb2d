import { Marked } from "../parts/Marked";
import { marked, noticed, outputsOf, quotesOf } from "../trace/marks";
import { chosen, type Trace } from "../trace/story";
import { drawnAt } from "../why/senses/Senses";
import { Quoted } from "../why/StepBody";
import type { Dialogue as Said, Turn } from "../wire";

/** Characters from which on a turn scrolls in itself. */
const LONG = 1500;

/** What was said, with what was noticed in it. */
export function Dialogue({ trace, dialogue: { turns, listener } }: { trace: Trace; dialogue: Said }) {
  const pass = chosen(trace);
  const stretches = marked(turns.map(({ text }) => text), quotesOf(outputsOf(pass)));
  const origins = new Set(stretches.flat().flatMap(({ quotes }) => quotes.map(({ origin }) => origin)));
  const at = drawnAt(trace);
  return (
    <section className="dialogue" aria-labelledby="what-was-said">
      <h2 id="what-was-said" className="part">
        What was said
      </h2>
      <ol className="bubbles">
        {turns.map((turn, index) => (
          <li key={index} className={turn.speaker === listener ? "bubble mine" : "bubble"}>
            <p className="speaker" dir="auto">
              {turn.speaker}
            </p>
            <Pictures turn={turn} />
            <p className="said" dir="auto" tabIndex={turn.text.length > LONG ? 0 : undefined}>
              <Marked stretches={stretches[index]!} />
            </p>
          </li>
        ))}
      </ol>
      {noticed(pass).length > 0 && (
        <ul className="noticed" aria-label="What was seen and heard">
          {noticed(pass).map((cue, index) => (
            <li key={index} dir="auto">
              <span className="tag quiet">{cue.source}</span> <Quoted cue={cue} anchor={at(cue)} />: <span className="soft">{cue.meaning}</span>
            </li>
          ))}
        </ul>
      )}
      {origins.size > 0 && (
        <p className="legend">
          {origins.has("cue") && (
            <span>
              <mark className="cue">a cue</mark> that was noticed
            </span>
          )}
          {origins.has("cause") && (
            <span>
              <mark className="cause">what set it off</mark>
            </span>
          )}
          <span className="soft">Point at a mark, or reach it with the Tab key, to see what it tells.</span>
        </p>
      )}
    </section>
  );
}

/** Of a turn that was sensed they stand with what was sensed. */
const Pictures = ({ turn }: { turn: Turn }) =>
  !turn.readings && turn.keyframes.filter(({ mime }) => mime.startsWith("image/")).map(({ mime, data, time }, index) => <img key={index} src={`data:${mime};base64,${data}`} alt={`A picture of ${turn.speaker} at ${time} seconds`} />);
