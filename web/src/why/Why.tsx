import { useEffect, useState } from "react";
import * as api from "../api/client";
import { Icon } from "../parts/Icon";
import { useMedia } from "../parts/useMedia";
import { Dialog } from "../parts/Dialog";
import type { Room } from "../state/room";
import { go, roomPath } from "../state/route";
import type { Visit } from "../state/visit";
import { storyOf } from "../trace/story";
import type { Keep } from "../wire";
import { Reasons } from "./Reasons";

interface Props {
  readonly visit: Visit;
  readonly room: Room;
  readonly turn: number;
  readonly session: string;
  readonly name: string;
  /** Whether this server speaks. */
  readonly voice: boolean;
}

const BESIDE = "(min-width: 68rem)";

/** Why a turn was answered as it was: beside the conversation where there is room, above it where there is not. */
export function Why({ visit, room, turn, session, name, voice }: Props) {
  const beside = useMedia(BESIDE);
  const problem = useStored(visit, room, turn, session);
  const view = room.turns.find((each) => each.number === turn);
  const story = room.stories[turn];
  const close = () => go(roomPath(session));
  const keep = async (wanted: Keep) => {
    visit.quiet();
    visit.store.dispatch({ type: "server", message: { kind: "turn", turn: await api.keep(session, turn, wanted) } });
    visit.store.dispatch({ type: "story", turn, story: storyOf(await api.trace(session, turn)) });
  };
  const inside = (
    <>
      <Neighbours turn={turn} turns={room.turns.map((each) => each.number)} session={session} />
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {story && view ? <Reasons story={story} turn={view} session={session} name={name} voice={voice} hush={() => visit.quiet()} keep={keep} /> : !problem && <p className="soft">Looking it up.</p>}
    </>
  );
  if (!beside)
    return (
      <Dialog title="Why this answer" close={close} className="why">
        {inside}
      </Dialog>
    );
  return (
    <aside className="why beside" aria-labelledby="why-title" onKeyDown={(event) => event.key === "Escape" && close()}>
      <header>
        <h2 id="why-title">Why this answer</h2>
        <button type="button" className="round" aria-label="Close the reasons" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {inside}
    </aside>
  );
}

function Neighbours({ turn, turns, session }: { turn: number; turns: readonly number[]; session: string }) {
  if (turns.length < 2) return null;
  const [before, after] = [turns.filter((each) => each < turn).at(-1), turns.find((each) => each > turn)];
  return (
    <nav className="neighbours" aria-label="Exchanges">
      {before !== undefined ? (
        <a href={roomPath(session, before)}>
          <Icon name="before" /> Earlier
        </a>
      ) : (
        <span />
      )}
      <span>
        Exchange {turns.indexOf(turn) + 1} of {turns.length}
      </span>
      {after !== undefined ? (
        <a href={roomPath(session, after)}>
          Later <Icon name="after" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** A turn that was not watched live is read from the store. */
function useStored(visit: Visit, room: Room, turn: number, session: string): string {
  const [problem, setProblem] = useState("");
  const view = room.turns.find((each) => each.number === turn);
  const over = view !== undefined && view.state !== "answering" && view.state !== "waiting";
  const whole = room.stories[turn]?.answer.started !== undefined;
  useEffect(() => {
    if (!over || whole) return;
    let gone = false;
    api.trace(session, turn).then(
      (events) => gone || visit.store.dispatch({ type: "story", turn, story: storyOf(events) }),
      (error: Error) => gone || setProblem(error.message),
    );
    return () => {
      gone = true;
    };
  }, [visit, session, turn, over, whole]);
  return problem;
}
