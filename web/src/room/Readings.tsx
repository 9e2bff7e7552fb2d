import { Icon } from "../parts/Icon";
import { Mirror } from "../parts/Mirror";
import type { DevicesState } from "../state/devices";
import { faceWords, voiceWords } from "../state/readings";
import type { Sensed } from "../state/room";

interface Props {
  readonly device: DevicesState;
  readonly sensed: Sensed;
  readonly shown: boolean;
  readonly show: (shown: boolean) => void;
}

/** The person's own picture and what is read of face and voice, small, and only where they want it. */
export function Readings({ device, sensed, shown, show }: Props) {
  const [seen, heard] = [device.camera.state === "on", device.microphone.state === "on"];
  if (!seen && !heard) return null;
  if (!shown)
    return (
      <aside className="readings folded" aria-label="What is seen and heard of you">
        <button type="button" className="plain" onClick={() => show(true)}>
          <Icon name="eye" /> Show what it notices
        </button>
      </aside>
    );
  return (
    <aside className="readings" aria-label="What is seen and heard of you">
      {device.picture && <Mirror picture={device.picture} />}
      <dl>
        {seen && (
          <div>
            <dt>The face looks</dt>
            <dd>{faceWords(sensed.face)}</dd>
          </div>
        )}
        {heard && (
          <div>
            <dt>Voice</dt>
            <dd>{voiceWords(sensed)}</dd>
          </div>
        )}
      </dl>
      <button type="button" className="plain hide" onClick={() => show(false)}>
        Hide
      </button>
    </aside>
  );
}
