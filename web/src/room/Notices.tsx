import type { DevicesState } from "../state/devices";
import type { Room } from "../state/room";

interface Props {
  readonly room: Room;
  readonly device: DevicesState;
  readonly note: string;
  readonly dismiss: () => void;
}

/** What went wrong, each in a sentence that says what to do. */
export function Notices({ room, device, note, dismiss }: Props) {
  const { microphone, camera } = device;
  const said = room.error || note;
  return (
    <div className="notices" role="alert">
      {said && (
        <p>
          {said}{" "}
          <button type="button" className="plain" onClick={dismiss}>
            All right
          </button>
        </p>
      )}
      {microphone.problem && <p>{microphone.problem}</p>}
      {camera.problem && <p>{camera.problem}</p>}
      {room.blocked && <p>Your browser keeps this page silent until you touch it. Click anywhere to hear the answer.</p>}
    </div>
  );
}
