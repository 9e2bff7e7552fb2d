import { moodOf, stateWords } from "../state/words";
import type { Room } from "../state/room";

/** The state in words: for eyes, and for ears through the live region. */
export function Status({ room, name, hearing }: { room: Room; name: string; hearing: boolean }) {
  return (
    <p className="status" data-mood={moodOf(room)} role="status" aria-live="polite">
      {room.link.kind !== "broken" && <span className="status-name">{name} </span>}
      <span className="status-words">{stateWords(room, hearing)}</span>
    </p>
  );
}
