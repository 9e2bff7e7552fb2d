import { useEffect, useState } from "react";
import { Choice } from "../parts/Choice";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";

/** Which microphone and which camera. Browsers tell their names only after they were allowed once. */
export function DeviceChoice({ devices, infers }: { devices: Devices; infers: boolean }) {
  const found = useFound();
  const chosen = useStore(preferences);
  const { microphone, camera } = useStore(devices.store);
  const of = (kind: MediaDeviceKind): [string, string][] => [["", "The usual one"], ...found.filter((each) => each.kind === kind && each.deviceId).map((each): [string, string] => [each.deviceId, each.label || "Unnamed"])];
  return (
    <>
      <Choice
        label="Microphone"
        value={chosen.microphone}
        options={of("audioinput")}
        change={(device) => {
          preferences.dispatch({ microphone: device });
          if (microphone.state === "on") void devices.turnMicrophone(true, device);
        }}
      />
      {infers && (
        <Choice
          label="Camera"
          value={chosen.camera}
          options={of("videoinput")}
          change={(device) => {
            preferences.dispatch({ camera: device });
            if (camera.state === "on") void devices.turnCamera(true, device);
          }}
        />
      )}
    </>
  );
}

function useFound(): readonly MediaDeviceInfo[] {
  const [found, setFound] = useState<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (!media) return;
    const look = () => void media.enumerateDevices().then(setFound, () => setFound([]));
    look();
    media.addEventListener("devicechange", look);
    return () => media.removeEventListener("devicechange", look);
  }, []);
  return found;
}
