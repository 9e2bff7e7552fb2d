import type { Sounding } from "../state/room";
import type { TurnView } from "../wire";
import { useSpokenWord } from "./useSpokenWord";

interface Props {
  readonly turn: TurnView;
  /** The reply as far as it is written. */
  readonly text: string;
  readonly sounding: Sounding | null;
  readonly clock: () => number;
  readonly follow: (word: HTMLElement) => void;
}

/** What is answered. While it is spoken, the word that is heard is marked, and what is still to come is paler. */
export function Reply({ turn, text, sounding, clock, follow }: Props) {
  const words = sounding?.words;
  const index = useSpokenWord(words, clock);
  if (turn.interrupted) return <Interrupted heard={turn.heard} whole={turn.reply} />;
  if (!words)
    return (
      <p className="said" dir="auto">
        {text}
      </p>
    );
  const word = words[index];
  const [from, to] = word ? [word.at, word.at + word.text.length] : [0, 0];
  return (
    <p className="said spoken" dir="auto">
      {text.slice(0, from)}
      {word && (
        <mark className="now" key={index} ref={(element) => void (element && follow(element))}>
          {text.slice(from, to)}
        </mark>
      )}
      <span className="to-come">{text.slice(to)}</span>
    </p>
  );
}

/** What was not heard stays readable, and is said to be so. */
function Interrupted({ heard, whole }: { heard: string; whole: string }) {
  const rest = whole.startsWith(heard) ? whole.slice(heard.length) : "";
  return (
    <>
      <p className="said" dir="auto">
        {heard}
        {rest && (
          <span className="unheard">
            <span className="unseen"> (not heard: </span>
            {rest}
            <span className="unseen">)</span>
          </span>
        )}
      </p>
      {rest && <p className="unheard-note">{heard ? "Interrupted. The paler words were not heard." : "Interrupted before it was heard."}</p>}
    </>
  );
}
