import { useEffect, useRef, useState } from "react";
import { chosen, replyOf, type Pass, type Trace } from "../../trace/story";
import type { Keep, StepRecord, TurnFinished } from "../../wire";
import type { Column } from "../columns";
import { Comparison } from "../Comparison";
import { Gist } from "../Gist";
import { Notices } from "../Notices";
import { Answers, type Version } from "./Answers";
import { Editor } from "./Editor";
import "./play.css";
import { Progress } from "./Progress";
import { sameWords } from "./sameWords";
import { isPlayable, Sentence } from "./Sentence";
import { useHearing } from "./useHearing";
import { usePlay } from "./usePlay";

interface Props {
  readonly trace: Trace;
  readonly session: string;
  readonly turn: number;
  /** Whether this server speaks. */
  readonly voice: boolean;
  /** Silences the reply that is being said. */
  readonly hush: () => void;
  /** Gives the turn this answer. */
  readonly keep: (wanted: Keep) => Promise<void>;
  /** Another step that is to be set. */
  readonly editing: StepRecord | null;
  readonly stopEditing: () => void;
}

/** Why it was answered so, in a sentence to play with: choose another word, see and hear the other answer, and keep either. */
export function Play({ trace, session, turn, voice, hush, keep, editing, stopEditing }: Props) {
  const play = usePlay(session, turn);
  const hearing = useHearing(session, turn, hush);
  const [told, setTold] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const pass = chosen(trace);
  const now = play.trace ? chosen(play.trace) : undefined;
  useEffect(() => {
    if (play.trace) place.current?.scrollIntoView({ block: "nearest" });
  }, [play.running]);
  if (!pass) return null;

  const leave = (words: string) => {
    play.forget();
    stopEditing();
    setTold(words);
  };
  const decide = async ({ number, reply, current }: Version) => {
    if (current) return leave("It stays as it was.");
    try {
      await keep({ number, reply });
      leave("Kept. The conversation goes on from these words.");
    } catch (error) {
      setTold((error as Error).message);
    }
  };
  const versions = play.trace ? tried(trace, play.trace) : known(trace);
  const same = now && play.trace?.finished && replyOf(trace) === play.trace.finished.reply;
  return (
    <section className="play" aria-label="Play with this answer">
      {isPlayable(pass) ? <Sentence pass={pass} now={now} play={play} /> : <Gist trace={trace} />}
      {editing && <Editor key={editing.step} record={editing} wish={(wishes) => play.wish({ ...without(play.wishes, editing.step), ...wishes })} close={() => leave("")} />}
      <div ref={place}>
        {play.problem || play.trace?.failed ? (
          <p className="problem" role="alert">
            {play.problem || play.trace?.failed?.message}
          </p>
        ) : (
          versions && (
            <Answers
              versions={versions}
              coming={play.trace && <Progress trace={play.trace} waiting={play.waiting} />}
              remark={
                <>
                  {same && <p className="same">{sameWords(pass, now)}</p>}
                  {play.trace && <Notices notices={play.trace.notices} />}
                </>
              }
              hearing={voice ? hearing : null}
              keep={(version) => void decide(version)}
              open={play.trace !== null}
            />
          )
        )}
      </div>
      {hearing.problem && (
        <p className="problem" role="alert">
          {hearing.problem}
        </p>
      )}
      <p className="soft" role="status">
        {told || (!versions && isPlayable(pass) && "Choose another word, and see what would have been said.")}
      </p>
      {play.trace?.finished && now && (
        <details>
          <summary>Every step beside what it was</summary>
          <Comparison columns={beside(pass, now)} over />
        </details>
      )}
    </section>
  );
}

const without = (wishes: Readonly<Record<string, string>>, step: string) => Object.fromEntries(Object.entries(wishes).filter(([target]) => !target.startsWith(`${step}.`)));

const version = (title: string, { reply, chosen: number }: TurnFinished, current: boolean): Version => ({ title, reply, number, current });

/** The answer that it has, and what follows from what is wished. */
function tried({ finished }: Trace, play: Trace): readonly [Version, Version | null] | null {
  return finished ? [version("As it is", finished, true), play.finished ? version("With your change", play.finished, false) : null] : null;
}

/** The first answer and the other one, where it has had several. */
function known({ answers, finished }: Trace): readonly [Version, Version] | null {
  const [first] = answers;
  const other = finished?.chosen === first?.chosen ? answers.at(-1) : finished;
  if (!first || !other || first === other) return null;
  return [version("As it was", first, finished === first), version("With your change", other, finished === other)];
}

const beside = (was: Pass, now: Pass): readonly Column[] => [
  { title: "As it is", name: "", about: "", pass: was, crowned: false },
  { title: "With your change", name: "", about: "", pass: now, crowned: false },
];
