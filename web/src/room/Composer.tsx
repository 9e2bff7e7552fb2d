import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { count } from "../parts/names";
import type { Devices, DevicesState } from "../state/devices";
import { draft, preferences } from "../state/preferences";
import type { Visit } from "../state/visit";
import type { ServerOptions } from "../wire";

interface Props {
  readonly visit: Visit;
  readonly devices: Devices;
  readonly device: DevicesState;
  readonly options: ServerOptions;
  readonly session: string;
  /** Words that did not arrive and come back here. */
  readonly returned: string;
  /** An answer is being thought of or spoken, and can be stopped. */
  readonly busy: boolean;
  /** Somebody is being listened to: their turn can be ended without waiting for silence. */
  readonly hearing: boolean;
}

/** Where one types, and where camera and microphone are switched. */
export function Composer({ visit, devices, device, options, session, returned, busy, hearing }: Props) {
  const [text, setText] = useState(() => draft.read(session));
  const area = useGrowing(text);
  const limit = useId();
  const left = options.longest_message - [...text.trim()].length;
  const sendable = text.trim() !== "" && left >= 0;
  const write = (now: string) => {
    setText(now);
    draft.write(session, now);
  };
  useEffect(() => {
    if (!returned) return;
    write([returned, text].filter(Boolean).join("\n\n"));
    visit.store.dispatch({ type: "returned", text: "" });
    area.current?.focus();
  }, [returned]);
  const send = () => {
    if (!sendable) return;
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
      <Limit id={limit} left={left} most={options.longest_message} />
      <div className="writing">
        <textarea ref={area} rows={1} value={text} dir="auto" aria-label="Your words" aria-describedby={limit} aria-invalid={left < 0} placeholder="Say what is on your mind" onChange={(event) => write(event.target.value)} onKeyDown={typed} enterKeyHint="send" />
        {busy && !text.trim() ? (
          <button type="button" className="round strong" aria-label="Stop the answer" onClick={() => visit.stop()}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="round strong" aria-label="Send" disabled={!sendable}>
            <Icon name="send" />
          </button>
        )}
      </div>
      {options.senses && <Senses devices={devices} device={device} infers={options.infers} />}
      {hearing && (
        <button type="button" className="plain" onClick={() => visit.endTurn()}>
          I have finished speaking
        </button>
      )}
    </form>
  );
}

/** How much more can be said at once, as soon as that matters. */
function Limit({ id, left, most }: { id: string; left: number; most: number }) {
  return (
    <p id={id} className={left < 0 ? "limit problem" : "limit"} aria-live={left < 0 ? "polite" : "off"}>
      {left < 0
        ? `This is ${count(-left)} characters too long to send at once; ${count(most)} are possible. Shorten it, or send it in parts.`
        : left < most / 10 && `${count(left)} characters left`}
    </p>
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

function Senses({ devices, device: { microphone, camera }, infers }: { infers: boolean } & Pick<Props, "devices" | "device">) {
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
