import { useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import type { Devices, DevicesState } from "../state/devices";
import { draft, preferences } from "../state/preferences";
import type { Visit } from "../state/visit";

interface Props {
  readonly visit: Visit;
  readonly devices: Devices;
  readonly device: DevicesState;
  readonly senses: boolean;
  /** Whether a face may be looked at. */
  readonly infers: boolean;
  readonly session: string;
  /** An answer is being thought of or spoken, and can be stopped. */
  readonly busy: boolean;
  /** Somebody is being listened to: their turn can be ended without waiting for silence. */
  readonly hearing: boolean;
}

/** Where one types, and where camera and microphone are switched. */
export function Composer({ visit, devices, device, senses, infers, session, busy, hearing }: Props) {
  const [text, setText] = useState(() => draft.read(session));
  const area = useGrowing(text);
  const write = (now: string) => {
    setText(now);
    draft.write(session, now);
  };
  const send = () => {
    if (!text.trim()) return;
    visit.say(text.trim());
    write("");
  };
  const typed = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="composer"
      aria-label="Say something"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="writing">
        <textarea ref={area} rows={1} value={text} aria-label="Your words" placeholder="Say what is on your mind" maxLength={20_000} onChange={(event) => write(event.target.value)} onKeyDown={typed} enterKeyHint="send" />
        {busy && !text.trim() ? (
          <button type="button" className="round strong" aria-label="Stop the answer" onClick={() => visit.stop()}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="round strong" aria-label="Send" disabled={!text.trim()}>
            <Icon name="send" />
          </button>
        )}
      </div>
      {senses && <Senses devices={devices} device={device} infers={infers} />}
      {hearing && (
        <button type="button" className="plain" onClick={() => visit.endTurn()}>
          That was it
        </button>
      )}
    </form>
  );
}

/** As high as its text, up to what the style allows. */
function useGrowing(text: string) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (!area.current) return;
    area.current.style.height = "auto";
    area.current.style.height = `${area.current.scrollHeight}px`;
  }, [text]);
  return area;
}

function Senses({ devices, device: { microphone, camera }, infers }: Pick<Props, "devices" | "device" | "infers">) {
  const chosen = preferences.get();
  return (
    <div className="senses">
      <button type="button" className="sense" aria-pressed={microphone.state === "on"} onClick={() => void devices.turnMicrophone(microphone.state !== "on", chosen.microphone)}>
        <Icon name="microphone" off={microphone.state !== "on"} />
        <span>Microphone {worded(microphone.state)}</span>
        {microphone.state === "on" && <Meter devices={devices} />}
      </button>
      {infers && (
        <button type="button" className="sense" aria-pressed={camera.state === "on"} onClick={() => void devices.turnCamera(camera.state !== "on", chosen.camera)}>
          <Icon name="camera" off={camera.state !== "on"} />
          <span>Camera {worded(camera.state)}</span>
        </button>
      )}
    </div>
  );
}

const worded = (state: string): string => (state === "asking" ? "…" : state === "on" ? "on" : "off");
