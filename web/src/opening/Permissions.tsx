import { Meter } from "../parts/Meter";
import { Mirror } from "../parts/Mirror";
import { Switch } from "../parts/Switch";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";

/** Camera and microphone, each off until it is switched on, and what each is for. */
export function Permissions({ devices }: { devices: Devices }) {
  const { microphone, camera, picture } = useStore(devices.store);
  const chosen = preferences.get();
  return (
    <>
      <Switch label="Microphone" on={microphone.state === "on"} busy={microphone.state === "asking"} change={(on) => void devices.turnMicrophone(on, chosen.microphone)}>
        {microphone.problem ? <Problem text={microphone.problem} /> : "So that you can talk. It hears what you say, and how you sound."}
        {microphone.state === "on" && <Meter devices={devices} />}
      </Switch>
      <Switch label="Camera" on={camera.state === "on"} busy={camera.state === "asking"} change={(on) => void devices.turnCamera(on, chosen.camera)}>
        {camera.problem ? <Problem text={camera.problem} /> : "So that it sees how you look while you talk. Without it, and without the microphone, you simply type."}
        {picture && <Mirror picture={picture} />}
      </Switch>
    </>
  );
}

const Problem = ({ text }: { text: string }) => (
  <span className="problem" role="alert">
    {text}
  </span>
);
