import { pictureOf } from "../help/standing";
import type { Sounding } from "../state/room";
import { roomPath } from "../state/route";
import { outputsOf } from "../trace/marks";
import { chosen, replyOf, type Story } from "../trace/story";
import { InLanguage } from "../parts/InLanguage";
import { named } from "../parts/names";
import type { LanguageNote, PersonView, TurnView } from "../wire";
import { Reply } from "./Reply";
import { Said } from "./Said";

export interface TurnProps {
  readonly turn: TurnView;
  readonly story: Story | undefined;
  readonly sounding: Sounding | null;
  readonly clock: () => number;
  /** Keeps the word that is heard in sight. */
  readonly follow: (word: HTMLElement) => void;
  readonly session: string;
  /** Who answered it, or would. */
  readonly who: PersonView | undefined;
  /** What can be had in the language that it was said in, where that is to be told. */
  readonly language: LanguageNote | undefined;
  /** Whether its reasons are open. */
  readonly open: boolean;
  readonly last: boolean;
  /** Somebody may be in danger at this moment. */
  readonly grave: boolean;
  readonly again: () => void;
}

/** One exchange: what was said, what was answered, and what can be asked about it. */
export function TurnItem({ turn, story, sounding, clock, follow, session, who, language, open, last, grave, again }: TurnProps) {
  const text = turn.reply || (story ? replyOf(story.answer) : "");
  const pass = open && story ? chosen(story.answer) : undefined;
  return (
    <li className={last ? "turn last" : "turn"} id={`turn-${turn.number}`}>
      <div className="from-you">
        <p className="speaker">You</p>
        <Said text={turn.said} language={turn.language} outputs={outputsOf(pass)} />
      </div>
      {language && <InLanguage own={language} className="reminder" />}
      {text && (
        <div className="from-them">
          <p className="speaker">
            {who && <img className="speaker-face" src={pictureOf(who, grave || turn.alarm !== null)} alt="" width={28} height={28} />}
            {named(who?.name ?? turn.identity)}
          </p>
          <Reply turn={turn} text={text} sounding={sounding} clock={clock} follow={follow} />
        </div>
      )}
      <Unanswered turn={turn} again={again} />
      {turn.reminder && (
        <p className="reminder" role="note" aria-label="A note">
          {turn.reminder}
        </p>
      )}
      {(story !== undefined || turn.state === "answered" || turn.state === "failed") && (
        <p className="asides">
          <a href={open ? roomPath(session) : roomPath(session, turn.number)} aria-expanded={open}>
            {open ? "Close the reasons" : turn.state === "answered" ? "Why this answer" : "How it comes about"}
          </a>
          {turn.emotion && <span>understood as: {turn.emotion}</span>}
        </p>
      )}
    </li>
  );
}

function Unanswered({ turn, again }: { turn: TurnView; again: () => void }) {
  if (turn.state !== "unfinished" && turn.state !== "failed") return null;
  return (
    <div className="unanswered">
      <p>{turn.state === "failed" ? "This could not be answered." : "This was not answered to the end."}</p>
      {turn.state === "failed" && turn.error && (
        <details>
          <summary>What happened</summary>
          <p dir="auto">{turn.error}</p>
        </details>
      )}
      <button type="button" className="plain" onClick={again}>
        Answer again
      </button>
    </div>
  );
}
