import { useEffect, useRef } from "react";
import type { Devices } from "../state/devices";

const QUIET_DB = -60;

/** How loud the microphone is. It moves outside React, fifty times a second. */
export function Meter({ devices }: { devices: Devices }) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const loud = 1 - (20 * Math.log10(Math.max(devices.level, 1e-4))) / QUIET_DB;
      bar.current?.style.setProperty("--level", Math.max(0, Math.min(1, loud)).toFixed(3));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [devices]);
  return <span ref={bar} className="meter" role="img" aria-label="Level of the microphone" />;
}
