import { useCallback, useEffect, useRef, type ReactNode } from "react";
import { standing } from "../help/standing";
import type { Room } from "../state/room";
import { answering } from "../state/words";
import type { Visit } from "../state/visit";
import type { ServerOptions, TurnView } from "../wire";
import { TurnItem } from "./TurnItem";

interface Props {
  readonly room: Room;
  readonly visit: Visit;
  readonly name: string;
  readonly options: ServerOptions;
  readonly why: number | null;
}

const NEAR = 120;
const isNearEnd = (at: HTMLElement | null): boolean => at === null || at.scrollHeight - at.scrollTop - at.clientHeight < NEAR;

/** What was said, quietly, the newest at the end. It follows along unless the person reads further up. */
export function Transcript({ room, visit, name, options, why }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const follow = useCallback((word: HTMLElement) => {
    if (following.current) word.scrollIntoView({ block: "nearest" });
  }, []);
  /** Only the person's own hand leads away from what is new. */
  const led = () => requestAnimationFrame(() => (following.current = isNearEnd(scroller.current)));
  const latest = room.turns.at(-1);
  const written = room.stories[latest?.number ?? -1]?.answer.passes.at(-1)?.steps.find((step) => step.written)?.written;
  const length = JSON.stringify([room.turns.length, latest?.state, latest?.reply, latest?.interrupted, latest?.reminder, room.pending.length, room.sensed.heard, written]);
  useEffect(() => {
    const element = scroller.current;
    if (element && following.current) element.scrollTop = element.scrollHeight;
  }, [length]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // Something came to stand below: what was in sight stays in sight.
    const watch = new ResizeObserver(() => following.current && (element.scrollTop = element.scrollHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (why !== null) document.getElementById(`turn-${why}`)?.scrollIntoView({ block: "nearest" });
  }, [why]);
  const { pending, turns, session } = room;
  const personOf = (identity: string) => options.identities.find((each) => each.name === (identity || session?.identity));
  /** Told once, where a language is first spoken. */
  const languageOf = ({ number, language }: TurnView) => (turns.find((each) => each.language === language)?.number === number ? options.languages.find(({ code }) => code === language) : undefined);
  const last = turns.at(-1)?.number;
  const grave = standing(room) !== null;
  return (
    <div
      className="transcript"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label="What was said"
      onWheel={led}
      onTouchMove={led}
      onKeyDown={led}
    >
      {turns.length === 0 && !pending.length && !room.sensed.heard && <Greeting name={name} />}
      <ol aria-live="polite" aria-busy={answering(room) !== undefined}>
        {turns.map((turn) => (
          <TurnItem
            key={turn.number}
            turn={turn}
            story={room.stories[turn.number]}
            sounding={room.sounding?.turn === turn.number ? room.sounding : null}
            clock={visit.clock}
            follow={follow}
            session={session?.id ?? ""}
            who={personOf(turn.identity)}
            language={languageOf(turn)}
            open={why === turn.number}
            last={turn.number === last && !pending.length}
            grave={grave}
            again={() => visit.again(turn.number)}
          />
        ))}
        {pending.map((each) => (
          <Coming key={each.id} text={each.text}>
            {each.refused && (
              <div className="unanswered">
                <p>This did not arrive.</p>
                <button type="button" className="plain" onClick={() => visit.sayAgain(each)}>
                  Send it again
                </button>
                <button type="button" className="plain" onClick={() => visit.takeBack(each)}>
                  Change it
                </button>
              </div>
            )}
          </Coming>
        ))}
        {room.sensed.heard && <Coming text={room.sensed.heard} />}
      </ol>
    </div>
  );
}

/** What the person has said and nobody has answered yet. */
function Coming({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <li className="turn coming">
      <div className="from-you">
        <p className="speaker">You</p>
        <p className="said" dir="auto">
          {text}
        </p>
      </div>
      {children}
    </li>
  );
}

function Greeting({ name }: { name: string }) {
  return (
    <div className="greeting">
      <p className="said">{name} is here.</p>
      <p className="said">Say what is on your mind, in your own time.</p>
    </div>
  );
}
