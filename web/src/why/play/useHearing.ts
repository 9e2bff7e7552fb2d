import { useEffect, useRef, useState } from "react";
import * as api from "../../api/client";

/** One answer at a time can be heard, in the voice of the server. */
export interface Hearing {
  /** The answer that is being heard, by the number of its pass, and whether its sound is still being made. */
  readonly now: { readonly number: number; readonly making: boolean } | null;
  readonly problem: string;
  /** Hear this one, or be silent if it is the one that is heard. */
  readonly hear: (number: number) => void;
}

/** `hush` silences whatever else is being said. */
export function useHearing(session: string, turn: number, hush: () => void): Hearing {
  const [now, setNow] = useState<Hearing["now"]>(null);
  const [problem, setProblem] = useState("");
  const sound = useRef<HTMLAudioElement | null>(null);
  const wanted = useRef(-1);
  const silence = () => {
    wanted.current = -1;
    sound.current?.pause();
    if (sound.current) URL.revokeObjectURL(sound.current.src);
    sound.current = null;
    setNow(null);
  };
  useEffect(() => silence, []);

  const play = async (number: number) => {
    wanted.current = number;
    setNow({ number, making: true });
    setProblem("");
    try {
      const made = await api.speech(session, turn, number);
      if (wanted.current !== number) return;
      const audio = (sound.current = new Audio(URL.createObjectURL(made)));
      audio.onended = silence;
      await audio.play();
      setNow({ number, making: false });
    } catch (error) {
      if (wanted.current !== number) return;
      silence();
      setProblem((error as Error).message);
    }
  };
  const hear = (number: number) => {
    const same = wanted.current === number;
    silence();
    hush();
    if (!same) void play(number);
  };
  return { now, problem, hear };
}
