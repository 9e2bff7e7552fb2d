import { Meter } from "../parts/Meter";
import { Mirror } from "../parts/Mirror";
import { Switch } from "../parts/Switch";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";

interface Props {
  readonly devices: Devices;
  /** Whether anything may be inferred from a face or the sound of a voice here. */
  readonly infers: boolean;
}

/** What may be taken of the words, the voice and the face: each is off until it is given, and says what becomes of it. */
export function Consent({ devices, infers }: Props) {
  const { microphone, camera, tone, picture } = useStore(devices.store);
  const chosen = preferences.get();
  return (
    <>
      <Switch label="Microphone: what you say" on={microphone.state === "on"} busy={microphone.state === "asking"} change={(on) => void devices.turnMicrophone(on, chosen.microphone)}>
        {microphone.problem ? <Problem text={microphone.problem} /> : "It is turned into words in memory; sound is never stored."}
        {microphone.state === "on" && <Meter devices={devices} />}
      </Switch>
      {infers ? (
        <>
          <Switch label="Tone of voice: how you say it" on={tone} change={(on) => devices.allowTone(on)}>
            How you sound is measured in memory; sound is never stored.
          </Switch>
          <Switch label="Camera: what your face shows" on={camera.state === "on"} busy={camera.state === "asking"} change={(on) => void devices.turnCamera(on, chosen.camera)}>
            {camera.problem ? <Problem text={camera.problem} /> : "It is measured in memory; pictures are never stored."}
            {picture && <Mirror picture={picture} />}
          </Switch>
        </>
      ) : (
        <p className="consent-none">This server is for work or school, so nothing is read from a face or from the sound of a voice.</p>
      )}
    </>
  );
}

const Problem = ({ text }: { text: string }) => (
  <span className="problem" role="alert">
    {text}
  </span>
);
