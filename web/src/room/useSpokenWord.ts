import { useEffect, useState } from "react";
import type { SaidWord } from "../wire";

/** The word that is being spoken: its place in the list, or -1 before the first one. Changes only when the word does. */
export function useSpokenWord(words: readonly SaidWord[] | undefined, clock: () => number): number {
  const [spoken, setSpoken] = useState(-1);
  useEffect(() => {
    if (!words) return setSpoken(-1);
    let frame = 0;
    const look = () => {
      setSpoken(wordAt(words, clock()));
      frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [words, clock]);
  return spoken;
}

/** The last word that has begun. */
export function wordAt(words: readonly SaidWord[], seconds: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]!.start <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
