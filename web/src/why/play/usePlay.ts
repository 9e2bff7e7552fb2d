import { useEffect, useRef, useState } from "react";
import * as api from "../../api/client";
import { follow, NOTHING, type Trace } from "../../trace/story";
import type { Waiting } from "../../wire";
import { editsOf, type Wishes } from "./fields";

/** What is wished, and what follows from it. */
export interface Play {
  readonly wishes: Wishes;
  /** What follows, as far as it is known; nothing where nothing is wished. */
  readonly trace: Trace | null;
  /** Others are answered first. */
  readonly waiting: Waiting | null;
  readonly problem: string;
  readonly running: boolean;
  /** Want this, and see at once what follows. */
  readonly wish: (wishes: Wishes) => void;
  readonly forget: () => void;
}

interface Followed {
  readonly trace: Trace | null;
  readonly waiting: Waiting | null;
  readonly problem: string;
}

const UNPLAYED: Followed = { trace: null, waiting: null, problem: "" };

/** Set steps of a turn by hand and see what follows. The turn itself stays as it is. */
export function usePlay(session: string, turn: number): Play {
  const [wishes, setWishes] = useState<Wishes>({});
  const [followed, setFollowed] = useState(UNPLAYED);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const wish = (wanted: Wishes) => {
    running.current?.abort();
    setWishes(wanted);
    setFollowed(UNPLAYED);
    if (Object.keys(wanted).length) void run(wanted);
  };
  const run = async (wanted: Wishes) => {
    const { signal } = (running.current = new AbortController());
    let trace: Trace = NOTHING;
    setFollowed({ ...UNPLAYED, trace });
    try {
      for await (const message of api.replay(session, turn, { edits: editsOf(wanted), start: "" }, signal)) {
        if (message.kind === "happened") setFollowed({ ...UNPLAYED, trace: (trace = follow(trace, message.event)) });
        if (message.kind === "waiting") setFollowed({ ...UNPLAYED, trace, waiting: message });
      }
    } catch (error) {
      if (!signal.aborted) setFollowed({ trace, waiting: null, problem: (error as Error).message });
    }
  };
  const { trace, problem } = followed;
  return { ...followed, wishes, running: trace !== null && !trace.finished && !trace.failed && !problem, wish, forget: () => wish({}) };
}
