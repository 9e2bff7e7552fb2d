/** The stills of a turn, each as near to its time as its neighbours leave room for. */
import type { Keyframe } from "../../wire";

export interface Still {
  readonly frame: Keyframe;
  /** In percent of the row. */
  readonly width: number;
  /** The gap before it. */
  readonly gap: number;
}

/** Stills that a row has room for at least: a single one shall not fill it. */
const LEAST_ROOM = 4;
const MOST = 12;

export function stillsOf(frames: readonly Keyframe[], seconds: number): readonly Still[] {
  const known = frames.filter(({ mime }) => mime.startsWith("image/"));
  const shown = known.length <= MOST ? known : Array.from({ length: MOST }, (_, place) => known[Math.floor((place * (known.length - 1)) / (MOST - 1))]!);
  const width = 100 / Math.max(LEAST_ROOM, shown.length);
  let reached = 0;
  return shown.map((frame, place) => {
    const wished = (100 * frame.time) / seconds - width / 2;
    const left = Math.min(Math.max(wished, reached), 100 - width * (shown.length - place));
    const gap = Math.max(0, left - reached);
    reached = Math.max(left, reached) + width;
    return { frame, width, gap };
  });
}
